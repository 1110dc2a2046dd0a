using System.Buffers;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Samples one queue for all pages. A queue that cannot be opened has a sentence instead, and is tried again. Serves one thread at a time, except for its history.</summary>
/// <param name="served">The queue.</param>
internal sealed class SampledQueue(ServedTarget served) : IDisposable
{
    private QueueMeter? _meter;
    private MessageQueue? _queue;
    private SchemaVersions? _schemas;
    private string? _fault;

    /// <summary>Gets the queue.</summary>
    public ServedTarget Served { get; } = served;

    /// <summary>Gets the last minutes.</summary>
    public SampleHistory History { get; } = new();

    /// <summary>Opens the queue if it is not open.</summary>
    /// <returns>Whether it was opened now: rates need some time from here on.</returns>
    public bool TryOpen()
    {
        if (_meter is not null)
        {
            return false;
        }

        try
        {
            _queue = MessageQueue.OpenReadOnly(Served.Target.Path);
            _schemas = new SchemaVersions(_queue);
            _meter = new QueueMeter(_queue);
            return true;
        }
        catch (Exception exception) when (IsOfTheQueue(exception))
        {
            Close(exception.Message);
            return false;
        }
    }

    /// <summary>Takes a sample.</summary>
    /// <returns>An object with the facts and the rates.</returns>
    public byte[] Sample()
    {
        QueueRates? rates;
        try
        {
            rates = _meter?.Sample();
            _ = _schemas?.Newest;
        }
        catch (Exception exception) when (IsOfTheQueue(exception))
        {
            Close(exception.Message);
            rates = null;
        }

        if (rates is not null)
        {
            History.Add(rates.Messages, rates.Statistics.UnreadBytes);
        }

        return Write(rates);
    }

    public void Dispose()
    {
        _meter?.Dispose();
        _queue?.Dispose();
    }

    private byte[] Write(QueueRates? rates)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteString("path"u8, Served.Target.Path);
            json.WriteString("name"u8, Served.Name);
            if (rates is not null)
            {
                json.WritePropertyName("facts"u8);
                QueueFactsJson.Write(json, new QueueFacts(_queue!.Id, _queue.Epoch, _queue.CreationTime, _queue.GetOptions(), _schemas!.All, rates.Statistics));
                json.WritePropertyName("rates"u8);
                rates.Write(json);
            }
            else
            {
                json.WriteString("error"u8, _fault ?? "The queue is being opened.");
            }

            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    private void Close(string fault)
    {
        _fault = fault;
        Dispose();
        (_meter, _queue, _schemas) = (null, null, null);
    }

    private static bool IsOfTheQueue(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or NotSupportedException or QueueCorruptedException or QueueInUseException or StaleQueueException or InvalidOperationException or FormatException;
}
