namespace BufferedMessages.Hosting;

/// <summary>
/// A message that a handler could not handle. Immutable. If it leaves no room in its segment, or has a text that is not UTF-8 and becomes too long, only its position, its size and perhaps its
/// <see cref="Source"/> are kept; the rest is then null, empty or 0.
/// </summary>
public sealed class DeadLetter
{
    internal DeadLetter()
    {
    }

    /// <summary>Gets its position among the dead letters, in bytes.</summary>
    public long Position { get; internal init; }

    /// <summary>
    /// Gets the id of the message in its queue. Two dead letters with the same source are the same message: after the first one was stored and before the message was committed, the process
    /// died, or the host stopped while another producer kept the letter from the disk.
    /// </summary>
    public MessageId? Source { get; internal init; }

    /// <summary>Gets the time at which it became a dead letter.</summary>
    public DateTimeOffset? Time { get; internal init; }

    /// <summary>Gets the time at which the message was published; null if the message was not stamped with it.</summary>
    public DateTimeOffset? PublishedAt { get; internal init; }

    /// <summary>Gets the message of the exception, or another reason.</summary>
    public string Reason { get; internal init; } = "";

    /// <summary>Gets the type of the exception; null if the reason is not an exception.</summary>
    public string? ExceptionType { get; internal init; }

    /// <summary>Gets the number of attempts to handle it.</summary>
    public int Attempts { get; internal init; }

    /// <summary>Gets its size in bytes, without properties.</summary>
    public int Bytes { get; internal init; }
}
