using System.Buffers;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>The sample of a queue.</summary>
/// <param name="Path">Its path.</param>
/// <param name="Json">An object with its facts and rates.</param>
/// <param name="History">Its last minutes.</param>
internal sealed record QueueSample(string Path, byte[] Json, SampleHistory History);

/// <summary>The samples of all queues at one time.</summary>
/// <param name="Number">Counts them, from 1 on.</param>
/// <param name="Time">The time.</param>
/// <param name="Queues">The samples, in the order of the paths.</param>
internal sealed record QueueSamples(long Number, DateTimeOffset Time, IReadOnlyList<QueueSample> Queues)
{
    /// <summary>Gives the samples as an object.</summary>
    /// <param name="queue">The only queue to give; null for all.</param>
    public ReadOnlyMemory<byte> ToJson(string? queue) => Write(queue, static (json, sample) => json.WriteRawValue(sample.Json, skipInputValidation: true));

    /// <summary>Gives the last minutes as an object.</summary>
    /// <param name="queue">The only queue to give; null for all.</param>
    public ReadOnlyMemory<byte> HistoryToJson(string? queue) => Write(queue, static (json, sample) =>
    {
        json.WriteStartObject();
        json.WriteString("path"u8, sample.Path);
        sample.History.Write(json);
        json.WriteEndObject();
    });

    private ReadOnlyMemory<byte> Write(string? queue, Action<Utf8JsonWriter, QueueSample> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteNumber("number"u8, Number);
            json.WriteString("time"u8, Time.UtcDateTime);
            json.WriteStartArray("queues"u8);
            foreach (var sample in Queues.Where(sample => queue is null || string.Equals(sample.Path, queue, StringComparison.Ordinal)))
            {
                write(json, sample);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return buffer.WrittenMemory;
    }
}
