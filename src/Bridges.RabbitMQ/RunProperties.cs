using RabbitMQ.Client;

namespace BufferedMessages.Bridges;

/// <summary>
/// The AMQP properties of a run, which one writer uses again for each of its runs: the client has written them to its buffer when the publish returns.
/// The client copies every class of properties but its own sealed one, with a new table of headers, if the channel confirms.
/// </summary>
internal sealed class RunProperties
{
    private readonly BinaryTableValue _header = new();
    private readonly Dictionary<string, object?> _headers;
    private readonly BasicProperties _properties;

    public RunProperties()
    {
        _headers = new Dictionary<string, object?>(StringComparer.Ordinal) { [StreamArguments.RunHeader] = _header };
        _properties = new BasicProperties { DeliveryMode = DeliveryModes.Persistent, Headers = _headers };
    }

    /// <summary>Sets the header of the next run.</summary>
    public BasicProperties With(ReadOnlySpan<byte> header)
    {
        // The headers of all runs but those of single messages with properties have one length.
        if (_header.Bytes.Length != header.Length)
        {
            _header.Bytes = new byte[header.Length];
        }

        // The client adds the trace of the publish, which is not that of the next one.
        if (_headers.Count > 1)
        {
            _headers.Clear();
            _headers.Add(StreamArguments.RunHeader, _header);
        }

        header.CopyTo(_header.Bytes);
        return _properties;
    }
}
