namespace BufferedMessages;

/// <summary>A message is larger than what shall hold it: the format's limit, a claim, or a queue's segment.</summary>
public sealed class MessageTooLargeException : Exception
{
    internal MessageTooLargeException(string message, long size, long limit)
        : base(message)
    {
        Size = size;
        Limit = limit;
    }

    /// <summary>The size that was asked for, in bytes.</summary>
    public long Size { get; }

    /// <summary>The largest size allowed, in bytes.</summary>
    public long Limit { get; }
}
