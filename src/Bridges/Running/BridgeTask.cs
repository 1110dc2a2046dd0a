namespace BufferedMessages.Bridges;

/// <summary>The task of a bridge, from its opening to its disposal.</summary>
internal sealed class BridgeTask : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();

    public BridgeTask(Func<CancellationToken, Task> run, BridgeLink link)
    {
        Completion = Task.Run(() => RunAsync(run, link));
        Closed = Completion.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>The end of the task, with the exception that stopped it.</summary>
    public Task Completion { get; }

    private Task Closed { get; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Closed.ConfigureAwait(false);
    }

    private async Task RunAsync(Func<CancellationToken, Task> run, BridgeLink link)
    {
        try
        {
            await run(_stop.Token).ConfigureAwait(false);
            link.SetStopped(cause: null);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            link.SetStopped(cause: null);
        }
        catch (Exception exception)
        {
            link.SetStopped(exception);
            throw;
        }
    }
}
