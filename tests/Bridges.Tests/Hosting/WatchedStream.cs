namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>A stream that tells whether it was disposed, and whose connections can be held up.</summary>
internal sealed class WatchedStream(IMessageStream stream) : IMessageStream
{
    private readonly TaskCompletionSource _accepted = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string Name => stream.Name;

    public string System => stream.System;

    public int MaxBodyBytes => stream.MaxBodyBytes;

    public bool IsDisposed { get; private set; }

    /// <summary>Whether connections wait for <see cref="Accept"/>.</summary>
    public bool IsSlow { get; init; }

    public void Accept() => _accepted.SetResult();

    public async ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken)
    {
        await WaitAsync(cancellationToken);
        return await stream.OpenWriterAsync(cancellationToken);
    }

    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken)
    {
        await WaitAsync(cancellationToken);
        return await stream.OpenReaderAsync(start, cancellationToken);
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    private Task WaitAsync(CancellationToken cancellationToken) => IsSlow ? _accepted.Task.WaitAsync(cancellationToken) : Task.CompletedTask;
}
