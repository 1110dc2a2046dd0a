namespace BufferedMessages;

/// <summary>
/// The rules by which whole segments of a durable queue are deleted: the oldest first, and never the one that is being written.
/// Producers apply them when a segment is full. By default nothing is deleted.
/// </summary>
public sealed class QueueRetention
{
    /// <summary>Gets or sets the number of bytes above which the oldest segments are deleted, at least one segment and at most <see cref="HardLimitBytes"/>; null for no limit.</summary>
    public long? MaxBytes { get; set; }

    /// <summary>Gets or sets the age above which a segment is deleted, counted from its last message; null for no limit.</summary>
    public TimeSpan? MaxAge { get; set; }

    /// <summary>Gets or sets whether segments that every consumer name has passed are deleted. None is deleted while the queue has no consumer name.</summary>
    public bool DeleteRead { get; set; }

    /// <summary>
    /// Gets or sets whether <see cref="MaxBytes"/> and <see cref="MaxAge"/> delete only segments that every consumer name has passed, and none while the queue has no
    /// consumer name. True by default. If false, a consumer that is too slow gets a <see cref="MessagesDeletedException"/> with the first position.
    /// </summary>
    public bool KeepUnread { get; set; } = true;

    /// <summary>
    /// Gets or sets the hard limit in bytes, at least two segments; null for no limit. To keep all segments together within it, producers delete
    /// those that every consumer name has passed, and otherwise wait until one is passed, as in a bounded queue.
    /// </summary>
    public long? HardLimitBytes { get; set; }

    /// <summary>Gets or sets whether producers at the hard limit delete the oldest segment, read or not, instead of waiting. If true, <see cref="HardLimitBytes"/> must be set.</summary>
    public bool DropOldestAtHardLimit { get; set; }
}
