namespace BufferedMessages;

/// <summary>
/// Which segments of a durable queue are deleted: always whole ones, the oldest first, and never the one that is being written.
/// Checked by producers when a segment is full. By default nothing is deleted.
/// </summary>
public sealed class QueueRetention
{
    /// <summary>The oldest segments are deleted when all of them together are larger than this many bytes; null for no such limit.</summary>
    public long? MaxBytes { get; set; }

    /// <summary>Segments whose last message is older than this are deleted; null for no such limit.</summary>
    public TimeSpan? MaxAge { get; set; }

    /// <summary>Segments that every consumer name has passed are deleted. Without any consumer name nothing is.</summary>
    public bool DeleteRead { get; set; }

    /// <summary>
    /// <see cref="MaxBytes"/> and <see cref="MaxAge"/> delete only what every consumer name has passed. True by default; when false, a
    /// consumer that is too slow gets a <see cref="MessagesDeletedException"/> that names the first position there is.
    /// </summary>
    public bool KeepUnread { get; set; } = true;

    /// <summary>
    /// Producers wait for space, as in a bounded queue, rather than make all segments together larger than this many bytes; at least two
    /// segments. Null for no limit.
    /// </summary>
    public long? HardLimitBytes { get; set; }

    /// <summary>At the hard limit the oldest segment is deleted, read or not, instead of making the producers wait.</summary>
    public bool DropOldestAtHardLimit { get; set; }
}
