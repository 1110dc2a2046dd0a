namespace BufferedMessages;

/// <summary>The times at which a durable queue is written to the disk. Fixed when the queue is created.</summary>
public enum FlushMode
{
    /// <summary>At the operating system's discretion: messages survive the death of every process, but not a crash of the machine.</summary>
    None,

    /// <summary>In the background, by time and by the number of messages, while a producer is open. Records have checksums.</summary>
    Interval,

    /// <summary>Before each publish returns. Records have checksums.</summary>
    EveryMessage,
}
