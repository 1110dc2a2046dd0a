namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream whose connections fail when the test says so, whatever their tokens say.</summary>
internal sealed class HeldStream : IMessageStream
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _connections;

    public string Name => "held";

    public string System => "fake";

    public int MaxBodyBytes => 1024 * 1024;

    /// <summary>The number of connections that are being opened.</summary>
    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Called when a bridge that waits for its connection is stopped.</summary>
    public Action Stopping { get; set; } = static () => { };

    public void Fail() => _end.SetException(new IOException("The broker is down."));

    public async ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken)
    {
        await ConnectAsync(cancellationToken);
        throw new InvalidOperationException("The connection was not made.");
    }

    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken)
    {
        await ConnectAsync(cancellationToken);
        throw new InvalidOperationException("The connection was not made.");
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private async Task ConnectAsync(CancellationToken stop)
    {
        using var registration = stop.Register(() => Stopping());
        Interlocked.Increment(ref _connections);
        await _end.Task;
    }
}
