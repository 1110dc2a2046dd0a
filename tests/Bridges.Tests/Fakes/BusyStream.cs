namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream that confirms its first run, and whose connection then takes no further one until the call is cancelled.</summary>
internal sealed class BusyStream : IMessageStream, IRunWriter
{
    private int _waits;

    public string Name => "busy";

    public string System => "fake";

    public int MaxBodyBytes => 1024 * 1024;

    /// <summary>The number of runs that were handed over.</summary>
    public int Runs { get; private set; }

    /// <summary>The number of waits for a confirmation since the last run was handed over.</summary>
    public int Waits => Volatile.Read(ref _waits);

    public long Confirmed => Math.Min(Runs, 1);

    public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => ValueTask.FromResult<IRunWriter>(this);

    public ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => throw new NotSupportedException();

    public async ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken)
    {
        Volatile.Write(ref _waits, 0);
        if (++Runs > 1)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }
    }

    public async ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _waits);
        await Task.Delay(Confirmed > confirmed ? 0 : Timeout.Infinite, cancellationToken);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
