using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>The rates and lags of a queue over the last minutes, a number for each sample. Thread-safe.</summary>
internal sealed class SampleHistory
{
    /// <summary>The number of samples that are kept.</summary>
    public const int Length = 300;

    private readonly Lock _lock = new();
    private readonly Queue<(double Messages, long Unread)> _samples = new(Length);

    /// <summary>Adds a sample, and forgets the oldest if there are enough.</summary>
    public void Add(double messages, long unread)
    {
        lock (_lock)
        {
            if (_samples.Count == Length)
            {
                _samples.Dequeue();
            }

            _samples.Enqueue((messages, unread));
        }
    }

    /// <summary>Writes the samples as members of an object.</summary>
    public void Write(Utf8JsonWriter json)
    {
        (double Messages, long Unread)[] samples;
        lock (_lock)
        {
            samples = [.. _samples];
        }

        json.WriteStartArray("messages"u8);
        foreach (var sample in samples)
        {
            json.WriteNumberValue(Math.Round(sample.Messages));
        }

        json.WriteEndArray();
        json.WriteStartArray("unread"u8);
        foreach (var sample in samples)
        {
            json.WriteNumberValue(sample.Unread);
        }

        json.WriteEndArray();
    }
}
