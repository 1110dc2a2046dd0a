namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream with two entries, which takes no run. It has one connection, and a wait that is open when that is disposed fails, as that of a broker's client does.</summary>
/// <param name="failure">The failure of the wait.</param>
internal sealed class AbandonedStream(Exception failure) : IMessageStream, IRunWriter, IRunReader
{
    private const int Entries = 2;

    private readonly TaskCompletionSource<MessageStreamEntry> _wait = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _connections;
    private int _reads;
    private volatile bool _isWaiting;
    private volatile bool _isDisposed;

    public string Name => "abandoned";

    public string System => "fake";

    public int MaxBodyBytes => 1024 * 1024;

    public long Confirmed => 0;

    /// <summary>Whether a wait was opened.</summary>
    public bool IsWaiting => _isWaiting;

    /// <summary>Whether the connection was disposed.</summary>
    public bool IsDisposed => _isDisposed;

    public async ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken)
    {
        await ConnectAsync(cancellationToken);
        return this;
    }

    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken)
    {
        await ConnectAsync(cancellationToken);
        return this;
    }

    public ValueTask WriteAsync(MessageRun run, CancellationToken cancellationToken) => ValueTask.FromException(new IOException("The connection is lost."));

    public ValueTask WaitForConfirmAsync(long confirmed, CancellationToken cancellationToken)
    {
        _isWaiting = true;
        return new ValueTask(_wait.Task);
    }

    public ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken)
    {
        if (_reads < Entries)
        {
            return ValueTask.FromResult(new MessageStreamEntry(new StreamOffset((ulong)_reads++), default, default));
        }

        _isWaiting = true;
        return new ValueTask<MessageStreamEntry>(_wait.Task);
    }

    public ValueTask DisposeAsync()
    {
        _wait.TrySetException(failure);
        _isDisposed = true;
        return ValueTask.CompletedTask;
    }

    private async Task ConnectAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Increment(ref _connections) > 1)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }
    }
}
