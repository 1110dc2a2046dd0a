namespace BufferedMessages;

/// <summary>The exception for a message that exceeds a limit: the format's, a claim, or a queue's segment.</summary>
public sealed class MessageTooLargeException : Exception
{
    internal MessageTooLargeException(string message, long size, long limit)
        : base(message)
    {
        Size = size;
        Limit = limit;
    }

    /// <summary>Gets the size that was asked for, in bytes.</summary>
    public long Size { get; }

    /// <summary>Gets the largest size allowed, in bytes.</summary>
    public long Limit { get; }
}
