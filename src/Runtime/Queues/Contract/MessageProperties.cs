using System.Diagnostics;

namespace BufferedMessages;

/// <summary>
/// The properties that a message carries besides its payload. They are stored when the message is published, so an object can be reused for the next message.
/// Each text has at most 65,000 bytes in UTF-8, and a header's name with its value 64,998; an unpaired surrogate is stored as U+FFFD. Not thread-safe.
/// </summary>
public sealed class MessageProperties
{
    private Dictionary<string, string>? _headers;

    /// <summary>Gets or sets the time of publishing. If it is null, a producer that stamps the time stores the current time.</summary>
    public DateTimeOffset? Time { get; set; }

    /// <summary>Gets or sets the trace context. If it is the default, a producer that stamps traces stores one, see <see cref="ProducerOptions.StampTrace"/>.</summary>
    public ActivityContext TraceContext { get; set; }

    /// <summary>Gets or sets the message that this one is a copy of, in another queue.</summary>
    public MessageId? Source { get; set; }

    /// <summary>Gets or sets the id that a reply carries back to its request.</summary>
    public string? CorrelationId { get; set; }

    /// <summary>Gets or sets the address to which a reply should be sent.</summary>
    public string? ReplyTo { get; set; }

    /// <summary>Gets or sets the number of failed attempts to handle the message; 0 is not stored.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public int Attempts
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            field = value;
        }
    }

    /// <summary>Gets or sets the reason why the message is in its queue, for example why its handling failed.</summary>
    public string? Reason { get; set; }

    /// <summary>Gets the custom headers. Names are compared ordinally.</summary>
    public IDictionary<string, string> Headers => _headers ??= new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>The headers; null if none was ever set.</summary>
    internal Dictionary<string, string>? HeadersOrNull => _headers;
}
