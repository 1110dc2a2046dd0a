using System.Diagnostics;

namespace BufferedMessages.Bridges;

/// <summary>The task of a bridge, from its opening to its disposal.</summary>
internal sealed class BridgeTask : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly IBridgeLoop _loop;

    public BridgeTask(IBridgeLoop loop)
    {
        _loop = loop;
        BridgeMetrics.Add(loop);
        Completion = Task.Run(RunAsync);
        Closed = Completion.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>The end of the task, with the exception that stopped it.</summary>
    public Task Completion { get; }

    private Task Closed { get; }

    public async ValueTask DisposeAsync()
    {
        // A callback of the stream on the token may throw.
        try
        {
            await _stop.CancelAsync().ConfigureAwait(false);
        }
        finally
        {
            await Closed.ConfigureAwait(false);
            BridgeMetrics.Remove(_loop);
        }
    }

    private async Task RunAsync()
    {
        // The span in which the bridge was opened is not the parent of those of its runs.
        Activity.Current = null;
        try
        {
            await _loop.RunAsync(_stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            _loop.Link.SetStopped(cause: null);
        }
        catch (Exception exception)
        {
            _loop.Link.SetStopped(exception);
            throw;
        }
    }
}
