using System.Buffers;
using System.Text;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Some messages of a queue: from a place on, those before a position, or the last ones.</summary>
internal static class MessagePage
{
    /// <summary>The size at which an answer to the page ends with the record in hand.</summary>
    public const int MaxBytes = 4 << 20;

    private const int Count = 25;

    /// <summary>Reads messages.</summary>
    /// <param name="call">The command that serves.</param>
    /// <param name="path">The queue.</param>
    /// <param name="from">The place to begin at, as on the command line; null for the last messages.</param>
    /// <param name="before">The position that the messages are before; null for none.</param>
    /// <param name="token">Ends it.</param>
    /// <returns>An object with the records, the position after them, and remarks such as that messages were deleted.</returns>
    /// <exception cref="RefusedException">The text is not a place.</exception>
    /// <exception cref="ToolException">No message begins there.</exception>
    public static ReadOnlyMemory<byte> Read(Call call, string path, string? from, long? before, CancellationToken token)
    {
        using var remarks = new MemoryStream();
        using var console = new ToolConsole(Stream.Null, remarks, TextReader.Null, isTerminal: false, hasColors: false);
        using var request = call.For(console, token);
        using var queue = MessageQueue.OpenReadOnly(path);
        var end = Math.Min(before ?? long.MaxValue, queue.PublishedPosition);
        var start = from is null
            ? LastRecords.StartOf(queue, Count, end, request)
            : StartArgument.Parse(from.Trim())?.Start ?? throw new RefusedException(RefusalKind.Malformed, StartArgument.Refusal(from));

        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            using var walk = Places.Walk(queue, start, end, request, wasFound: from is null);
            var next = WriteRecords(json, queue, walk, end, buffer);
            json.WriteNumber("next"u8, next);
            json.WriteNumber("firstPosition"u8, queue.GetStatistics().FirstPosition);
            json.WriteNumber("publishedPosition"u8, queue.PublishedPosition);
            console.Error.Flush();
            json.WriteString("remarks"u8, Encoding.UTF8.GetString(remarks.ToArray()).TrimEnd('\n'));
            json.WriteEndObject();
        }

        return buffer.WrittenMemory;
    }

    // Gives the position of the record after the last one, or the end.
    private static long WriteRecords(Utf8JsonWriter json, MessageQueue queue, QueueWalk walk, long end, ArrayBufferWriter<byte> buffer)
    {
        json.WriteStartArray("records"u8);
        var next = end;
        using var view = new RecordView(new SchemaVersions(queue));
        for (var count = 0; walk.TryNext(out var delivery); count++)
        {
            if (count == Count || buffer.WrittenCount + json.BytesPending > MaxBytes)
            {
                next = delivery.Position;
                break;
            }

            view.Write(json, delivery);
        }

        json.WriteEndArray();
        return next;
    }
}
