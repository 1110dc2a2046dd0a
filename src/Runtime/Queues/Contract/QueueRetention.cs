namespace BufferedMessages;

/// <summary>
/// The rules by which segments of a durable queue are deleted: always whole ones, the oldest first, and never the one that is being written.
/// Producers apply them when a segment is full. By default nothing is deleted.
/// </summary>
public sealed class QueueRetention
{
    /// <summary>Gets or sets the number of bytes above which the oldest segments are deleted, at least one segment and at most <see cref="HardLimitBytes"/>; null for no limit.</summary>
    public long? MaxBytes { get; set; }

    /// <summary>Gets or sets the age above which a segment is deleted, by its last message; null for no limit.</summary>
    public TimeSpan? MaxAge { get; set; }

    /// <summary>Gets or sets whether segments that every consumer name has passed are deleted. Without any consumer name none is.</summary>
    public bool DeleteRead { get; set; }

    /// <summary>
    /// Gets or sets whether <see cref="MaxBytes"/> and <see cref="MaxAge"/> delete only segments that every consumer name has passed, and none without any
    /// consumer name. True by default. If false, a consumer that is too slow gets a <see cref="MessagesDeletedException"/> with the first position.
    /// </summary>
    public bool KeepUnread { get; set; } = true;

    /// <summary>
    /// Gets or sets the hard limit in bytes, at least two segments; null for no limit. Rather than make all segments together larger than this, producers delete
    /// those that every consumer name has passed, and otherwise wait for that, as in a bounded queue.
    /// </summary>
    public long? HardLimitBytes { get; set; }

    /// <summary>Gets or sets whether, at the hard limit, which must be set then, the oldest segment is deleted, read or not, instead of making the producers wait.</summary>
    public bool DropOldestAtHardLimit { get; set; }
}
