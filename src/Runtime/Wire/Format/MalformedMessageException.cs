namespace BufferedMessages;

/// <summary>The exception for bytes that are not a well-formed message. Nothing outside of the message was read.</summary>
public sealed class MalformedMessageException : Exception
{
    internal MalformedMessageException(string rule, int remainingBytes, Exception? innerException = null)
        : base($"The message is malformed, {remainingBytes} bytes before its end: {rule}. It was damaged, or is not a message of this format; do not use it.", innerException)
    {
        Rule = rule;
    }

    internal MalformedMessageException(MessageError error)
        : base($"The message is malformed: {error}. It was damaged, or is not a message of this format; do not use it.")
    {
        Rule = error.Rule;
        Error = error;
    }

    /// <summary>Gets the member and its position, if a verification found them; reading alone does not know them.</summary>
    public MessageError? Error { get; }

    /// <summary>Gets the rule of the wire format that is broken.</summary>
    public string Rule { get; }
}
