namespace BufferedMessages.Bridges.Tests;

/// <summary>A stream that tells the offset of each entry before its reader returns it.</summary>
internal sealed class TellingStream(IMessageStream stream) : IMessageStream
{
    public string Name => stream.Name;

    public string System => stream.System;

    public int MaxBodyBytes => stream.MaxBodyBytes;

    /// <summary>Called with each offset.</summary>
    public Action<StreamOffset> Reading { get; set; } = static _ => { };

    public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => stream.OpenWriterAsync(cancellationToken);

    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => new Reader(this, await stream.OpenReaderAsync(start, cancellationToken));

    public ValueTask DisposeAsync() => stream.DisposeAsync();

    private sealed class Reader(TellingStream stream, IRunReader reader) : IRunReader
    {
        public async ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken)
        {
            var entry = await reader.ReadAsync(cancellationToken);
            stream.Reading(entry.Offset);
            return entry;
        }

        public ValueTask DisposeAsync() => reader.DisposeAsync();
    }
}
