using System.Buffers.Text;
using System.Globalization;

namespace BufferedMessages.Hosting;

/// <summary>
/// The properties of requests and replies. A request has an id, the name of its client's reply queue, and the first full second in which its client no longer waits. A reply has the id; one that says that the responder failed
/// has the type of the exception in a header, and its message as the reason.
/// </summary>
internal static class RequestProperties
{
    private const string ExpiryHeader = "expires";
    private const string FailureHeader = "failure";
    private const int MostReasonCharacters = 8_000;

    // Properties are encoded when a message is published, and a thread uses them again for the next one.
    [ThreadStatic]
    private static MessageProperties? _request;

    [ThreadStatic]
    private static MessageProperties? _reply;

    [ThreadStatic]
    private static (long Second, string Text) _expiry;

    /// <summary>The properties of a request. They may be returned by <see cref="Return"/> when it is published.</summary>
    /// <param name="id">The id of the request among those of its client.</param>
    /// <param name="replyTo">The name of the reply queue.</param>
    /// <param name="timeout">How long the client waits.</param>
    public static MessageProperties OfRequest(long id, string replyTo, TimeSpan timeout)
    {
        var properties = _request ?? new MessageProperties();
        _request = null;
        properties.CorrelationId = id.ToString("x", CultureInfo.InvariantCulture);
        properties.ReplyTo = replyTo;
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            properties.Headers.Remove(ExpiryHeader);
        }
        else
        {
            properties.Headers[ExpiryHeader] = ExpiryOf(timeout);
        }

        return properties;
    }

    /// <summary>Returns the properties of a published request, for the next one of this thread.</summary>
    public static void Return(MessageProperties properties) => _request = properties;

    /// <summary>The properties of a reply, until this thread asks for the next.</summary>
    public static MessageProperties OfReply(BufferedString id)
    {
        var properties = _reply ??= new MessageProperties();
        properties.CorrelationId = id.ToString();
        return properties;
    }

    /// <summary>The properties of a reply that reports that the responder failed.</summary>
    public static MessageProperties OfFailure(BufferedString id, string type, string reason) => new()
    {
        CorrelationId = id.ToString(),
        Reason = reason.Length > MostReasonCharacters ? reason[..MostReasonCharacters] : reason,
        Headers = { [FailureHeader] = type },
    };

    /// <summary>Whether the client of a request no longer waits for a reply. A request with a source does not expire: it was requeued, replayed or forwarded in order to be handled.</summary>
    public static bool IsExpired(DeliveryProperties properties) =>
        properties.TryGetHeader(ExpiryHeader, out var text)
        && Utf8Parser.TryParse(text.Utf8, out long second, out var read)
        && read == text.Length
        && DateTimeOffset.UtcNow.ToUnixTimeSeconds() >= second
        && properties.Source is null;

    /// <summary>Removes the end of the wait from a request that is requeued and may have no room for its source: without one it would not be handled. Other messages keep such a header.</summary>
    public static void RemoveExpiry(MessageProperties properties)
    {
        if (properties.ReplyTo is not null)
        {
            properties.Headers.Remove(ExpiryHeader);
        }
    }

    /// <summary>Reads the id of a reply.</summary>
    public static bool TryGetId(DeliveryProperties properties, out long id) =>
        long.TryParse(properties.CorrelationId.Utf8, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out id);

    /// <summary>Reads why the responder failed; null if it did not.</summary>
    public static RequestFailedException? FailureOf(DeliveryProperties properties) =>
        properties.TryGetHeader(FailureHeader, out var type) ? new RequestFailedException(properties.Reason.ToString() ?? "", type.ToString() ?? "") : null;

    // In whole seconds, so that a text serves many requests.
    private static string ExpiryOf(TimeSpan timeout)
    {
        var second = (DateTimeOffset.UtcNow + timeout).ToUnixTimeSeconds() + 1;
        if (_expiry.Second != second || _expiry.Text is null)
        {
            _expiry = (second, second.ToString(CultureInfo.InvariantCulture));
        }

        return _expiry.Text;
    }
}
