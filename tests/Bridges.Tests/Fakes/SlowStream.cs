namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream that takes its time for each entry but the first one of a connection.</summary>
internal sealed class SlowStream(FakeStream stream) : IMessageStream
{
    public string Name => stream.Name;

    public string System => stream.System;

    public int MaxBodyBytes => stream.MaxBodyBytes;

    public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => stream.OpenWriterAsync(cancellationToken);

    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => new Reader(await stream.OpenReaderAsync(start, cancellationToken));

    public ValueTask DisposeAsync() => stream.DisposeAsync();

    private sealed class Reader(IRunReader reader) : IRunReader
    {
        private static readonly TimeSpan Time = TimeSpan.FromMilliseconds(50);
        private bool _isFurther;

        public async ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken)
        {
            if (_isFurther)
            {
                await Task.Delay(Time, cancellationToken);
            }

            _isFurther = true;
            return await reader.ReadAsync(cancellationToken);
        }

        public ValueTask DisposeAsync() => reader.DisposeAsync();
    }
}
