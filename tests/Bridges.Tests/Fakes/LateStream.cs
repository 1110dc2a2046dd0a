namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream that takes each run, and confirms it when the test says so.</summary>
internal sealed class LateStream : IMessageStream, IRunWriter
{
    private TaskCompletionSource _progress = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _runs;
    private int _waits;
    private long _confirmed;

    public string Name => "late";

    public string System => "fake";

    public int MaxBodyBytes => 1024 * 1024;

    /// <summary>The number of runs that were sent.</summary>
    public int Runs => Volatile.Read(ref _runs);

    /// <summary>The number of waits for a confirmation that were begun.</summary>
    public int Waits => Volatile.Read(ref _waits);

    public long Confirmed => Volatile.Read(ref _confirmed);

    /// <summary>Confirms runs up to a number.</summary>
    public void Confirm(int runs)
    {
        Volatile.Write(ref _confirmed, runs);
        Interlocked.Exchange(ref _progress, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
    }

    /// <summary>Ends the wait for a confirmation with the loss of the connection.</summary>
    public void Fail() => Volatile.Read(ref _progress).SetException(new IOException("The connection is lost."));

    public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => ValueTask.FromResult<IRunWriter>(this);

    public ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _runs);
        return ValueTask.CompletedTask;
    }

    public async ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
    {
        var progress = Volatile.Read(ref _progress);
        Interlocked.Increment(ref _waits);
        if (Confirmed <= confirmed)
        {
            await progress.Task.WaitAsync(cancellationToken);
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
