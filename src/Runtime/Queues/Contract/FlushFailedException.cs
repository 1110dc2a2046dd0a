namespace BufferedMessages;

/// <summary>
/// The exception that is thrown when a durable queue could not be written to the disk. The messages are published, and remain as long as the machine runs; those
/// after <see cref="DurablePosition"/> may not survive a crash of the machine. The next flush tries to write all of them again. With <see cref="FlushMode.EveryMessage"/>, a publish also
/// throws it if its producer is disposed while an earlier message is still being written.
/// </summary>
public sealed class FlushFailedException : IOException
{
    internal FlushFailedException(string directory, long durablePosition, Exception innerException)
        : base(
            $"The queue in '{directory}' could not be written to the disk after position {durablePosition}: {innerException.Message.TrimEnd('.')}. " +
            "Messages published after that may be lost if the machine crashes. Remove the cause, such as a failing or full disk; the next flush tries again.",
            innerException)
    {
        DurablePosition = durablePosition;
    }

    /// <summary>Gets the position before which everything is on the disk.</summary>
    public long DurablePosition { get; }
}
