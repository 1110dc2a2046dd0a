namespace BufferedMessages.Hosting;

/// <summary>The exception for a request whose responder reported a failure.</summary>
public sealed class RequestFailedException : Exception
{
    internal RequestFailedException(string reason, string errorType)
        : base($"The responder failed: {reason} ({errorType})")
    {
        Reason = reason;
        ErrorType = errorType;
    }

    /// <summary>Gets the message of the responder's exception, or another reason.</summary>
    public string Reason { get; }

    /// <summary>Gets the full name of the type of the responder's exception; <c>died</c> if the process of the responder died in every attempt.</summary>
    public string ErrorType { get; }
}
