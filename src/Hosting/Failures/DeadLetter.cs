namespace BufferedMessages.Hosting;

/// <summary>
/// A message that a handler could not handle. Immutable. One that leaves no room in its segment has its position, its size and its <see cref="Source"/> alone, or not even that; the rest is null, empty or 0 then.
/// </summary>
public sealed class DeadLetter
{
    internal DeadLetter()
    {
    }

    /// <summary>Gets its position among the dead letters, in bytes.</summary>
    public long Position { get; internal init; }

    /// <summary>
    /// Gets the id of the message in its queue. Two dead letters of the same source are the same message: the process died after it had stored the first one, and before the message was committed.
    /// </summary>
    public MessageId? Source { get; internal init; }

    /// <summary>Gets the time at which it became a dead letter.</summary>
    public DateTimeOffset? Time { get; internal init; }

    /// <summary>Gets the time at which the message was published; null if that was not stamped.</summary>
    public DateTimeOffset? PublishedAt { get; internal init; }

    /// <summary>Gets the message of the exception, or another reason.</summary>
    public string Reason { get; internal init; } = "";

    /// <summary>Gets the type of the exception; null if it is not here because of one.</summary>
    public string? ExceptionType { get; internal init; }

    /// <summary>Gets how many attempts were made to handle it.</summary>
    public int Attempts { get; internal init; }

    /// <summary>Gets its size in bytes, without properties.</summary>
    public int Bytes { get; internal init; }
}
