namespace BufferedMessages;

/// <summary>
/// The options of a queue. An option that is not set is read from an existing queue, and has its default in a new one. An option that is set must be the one that
/// the queue was created with, except <see cref="Retention"/>, which replaces the stored one. All options are checked together when the queue is opened.
/// </summary>
public sealed class MessageQueueOptions
{
    /// <summary>Gets or sets the mode. Null accepts that of an existing queue; a new queue is durable at a path, and bounded in shared memory.</summary>
    public QueueMode? Mode { get; set; }

    /// <summary>Gets or sets whether the queue is for one producer or for many. Null accepts that of an existing queue; a new queue is for many.</summary>
    public ProducerMode? Producers { get; set; }

    /// <summary>
    /// Gets or sets the size of a segment in bytes: a power of two from 64 KB to 1 GB. A message, its properties and 144 bytes of headers must fit into one segment. Null
    /// accepts that of an existing queue; a new queue has segments of 64 MB if it is durable, and of 4 MB if it is bounded.
    /// </summary>
    public long? SegmentBytes { get; set; }

    /// <summary>
    /// Gets or sets the number of segments of a bounded queue, from 2 to 256: its memory is this number times <see cref="SegmentBytes"/>.
    /// Null accepts that of an existing queue; a new queue has 4.
    /// </summary>
    public int? Slots { get; set; }

    /// <summary>Gets or sets when a durable queue is written to the disk. Null accepts that of an existing queue; a new queue has <see cref="FlushMode.None"/>.</summary>
    public FlushMode? Flush { get; set; }

    /// <summary>
    /// Gets or sets the longest time between two flushes of <see cref="FlushMode.Interval"/>, at least 1 millisecond. Null accepts that of an existing queue; a new queue has 1 second.
    /// </summary>
    public TimeSpan? FlushInterval { get; set; }

    /// <summary>
    /// Gets or sets the number of messages after which a producer asks for a flush of <see cref="FlushMode.Interval"/>, at least 1. Null accepts that of an existing queue; a new queue has 1,000.
    /// </summary>
    public int? FlushMessages { get; set; }

    /// <summary>Gets or sets the retention of a durable queue. Null keeps the stored one; a new queue deletes nothing.</summary>
    public QueueRetention? Retention { get; set; }

    /// <summary>
    /// Gets or sets the Unix mode of the queue's files, for example 0660. Users that may read the files can also enter the folders. The umask of the process
    /// does not change the mode, and users that open the queue later create their files with it. Null accepts that of an existing queue; a new queue is for its owner alone:
    /// 0600, or 0660 with a <see cref="FileGroup"/>. The owner must be able to read and write the files, and they cannot be executable. An existing folder keeps
    /// its mode, unless it is empty. A mode that lets other users in also says that they are expected: a queue of theirs in shared memory is not refused then.
    /// Ignored on Windows.
    /// </summary>
    public UnixFileMode? FileMode { get; set; }

    /// <summary>
    /// Gets or sets the group of the queue's files, by its name or by its id in digits. This user must be a member of it, or root. Users that open the queue later
    /// give their files to it too. Null accepts that of an existing queue; the files of a new queue get the group of all new files of this process. Supported only on Linux on x64 and
    /// ARM64. Ignored on Windows.
    /// </summary>
    public string? FileGroup { get; set; }

    /// <summary>
    /// Gets or sets the callback for events: repairs, dead participants, redeliveries, deletions and failing disks. It receives only events of the handle that is opened with
    /// these options, and of its producers and consumers, including those during the opening; other processes and handles receive their own. It is called on the thread that met the event, while no
    /// lock of the queue is held. It may use the queue, but not the producer or consumer that is at work, and must not wait for a publisher whose producers may all be at work. It may be called on
    /// several threads at the same time. It must return quickly, since the queue waits for it. Exceptions that it throws are ignored. Null by default; not stored in the queue.
    /// </summary>
    public Action<QueueEvent>? OnEvent { get; set; }

    /// <summary>A copy that also tells another method of events.</summary>
    internal MessageQueueOptions Telling(Action<QueueEvent> listener)
    {
        var copy = (MessageQueueOptions)MemberwiseClone();
        copy.OnEvent += listener;
        return copy;
    }
}
