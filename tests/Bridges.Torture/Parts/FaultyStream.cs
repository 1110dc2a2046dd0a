using System.Buffers.Binary;
using System.Text.Json.Nodes;

namespace BufferedMessages.Bridges.Torture;

/// <summary>A stream that makes its receiver behave as if it had a planted fault.</summary>
internal sealed class FaultyStream(IMessageStream stream, MessageQueue destination, PlantedFault fault) : IMessageStream
{
    // As MessageRun draws the header.
    private const int EpochOffset = 24;
    private const int FromEpochOffset = 32;
    private const int FromOffset = 40;

    public string Name => stream.Name;

    public string System => stream.System;

    public int MaxBodyBytes => stream.MaxBodyBytes;

    public ValueTask<IRunWriter> OpenWriterAsync(CancellationToken cancellationToken) => stream.OpenWriterAsync(cancellationToken);

    public async ValueTask<IRunReader> OpenReaderAsync(StreamStart start, CancellationToken cancellationToken) => new Reader(this, await stream.OpenReaderAsync(start, cancellationToken));

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private MessageStreamEntry Change(MessageStreamEntry entry)
    {
        if (!MessageRun.TryParse(entry, out var run) || run.Count == 0)
        {
            return entry;
        }

        var header = entry.Header.ToArray();
        switch (fault)
        {
            case PlantedFault.JournalFirst:
                WriteJournal(run, entry.Offset);
                break;
            case PlantedFault.NoChain:
                BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(FromEpochOffset), 0);
                BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(FromOffset), 0);
                break;
            case PlantedFault.NoEpoch:
                BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(EpochOffset), 1);
                BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(FromEpochOffset), 1);
                break;
        }

        return new MessageStreamEntry(entry.Offset, header, entry.Body);
    }

    private void WriteJournal(MessageRun run, StreamOffset offset)
    {
        var journal = new JsonObject
        {
            ["version"] = 1,
            ["destination"] = destination.Id,
            ["position"] = 0,
            ["offsetMajor"] = offset.Major,
            ["offsetMinor"] = offset.Minor,
            ["isMidway"] = false,
            ["sources"] = new JsonArray(new JsonObject { ["queue"] = run.QueueId, ["epoch"] = run.Epoch, ["position"] = run.To }),
        };
        var path = Path.Combine(destination.Path, "bridges", Name + ".json");
        File.WriteAllText(path + ".planted", journal.ToJsonString());
        File.Move(path + ".planted", path, overwrite: true);

        // The time that a flush to a disk takes, in which the process may die.
        Thread.Sleep(5);
    }

    private sealed class Reader(FaultyStream stream, IRunReader reader) : IRunReader
    {
        public async ValueTask<MessageStreamEntry> ReadAsync(CancellationToken cancellationToken) => stream.Change(await reader.ReadAsync(cancellationToken));

        public ValueTask DisposeAsync() => reader.DisposeAsync();
    }
}
