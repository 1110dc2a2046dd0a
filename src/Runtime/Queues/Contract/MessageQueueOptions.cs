namespace BufferedMessages;

/// <summary>
/// The options of a queue. An option that is not set is taken from the disk, or is the default for a new queue. An option that is set must be the one
/// the queue was created with, except <see cref="Retention"/>, which replaces the stored one. All are checked together when the queue is opened.
/// </summary>
public sealed class MessageQueueOptions
{
    /// <summary>Gets or sets the mode. Null accepts an existing queue's, and creates a durable queue at a path, and a bounded one in shared memory.</summary>
    public QueueMode? Mode { get; set; }

    /// <summary>Gets or sets whether the queue is for one producer or for many. Null accepts an existing queue's, and creates a queue for many.</summary>
    public ProducerMode? Producers { get; set; }

    /// <summary>
    /// Gets or sets the size of a segment in bytes: a power of two from 64 KB to 1 GB. A message, its properties and 144 bytes of headers must fit into one segment. Null
    /// accepts an existing queue's, and creates a durable queue with segments of 64 MB, and a bounded one with segments of 4 MB.
    /// </summary>
    public long? SegmentBytes { get; set; }

    /// <summary>
    /// Gets or sets the number of segments of a bounded queue, from 2 to 256: its memory is this number times <see cref="SegmentBytes"/>.
    /// Null accepts an existing queue's, and creates 4.
    /// </summary>
    public int? Slots { get; set; }

    /// <summary>Gets or sets when a durable queue is written to the disk. Null accepts an existing queue's, and creates a queue with <see cref="FlushMode.None"/>.</summary>
    public FlushMode? Flush { get; set; }

    /// <summary>
    /// Gets or sets the longest time between two flushes of <see cref="FlushMode.Interval"/>, of at least 1 millisecond. Null accepts an existing queue's, and creates a queue with 1 second.
    /// </summary>
    public TimeSpan? FlushInterval { get; set; }

    /// <summary>Gets or sets after how many messages a producer asks for a flush of <see cref="FlushMode.Interval"/>, at least 1. Null accepts an existing queue's, and creates a queue with 1,000.</summary>
    public int? FlushMessages { get; set; }

    /// <summary>Gets or sets the retention of a durable queue. Null keeps the stored one; a new queue deletes nothing.</summary>
    public QueueRetention? Retention { get; set; }

    /// <summary>
    /// Gets or sets the Unix mode of the queue's files, for example 0660; a folder can also be entered by those users that may read its files. The process's mask
    /// does not change it, and users that open the queue later make their files with it. Null accepts an existing queue's, and creates a queue for its owner alone:
    /// 0600, or 0660 with a <see cref="FileGroup"/>. The owner must have both permissions, and files cannot be executable. A folder that is there already keeps
    /// its mode, unless it is empty. A mode for others than the owner also says that other users are expected: a queue of theirs in shared memory is not refused then.
    /// Means nothing on Windows.
    /// </summary>
    public UnixFileMode? FileMode { get; set; }

    /// <summary>
    /// Gets or sets the group of the queue's files: its name, or its id in digits. This user must be a member of it, or root. Users that open the queue later
    /// give their files to it too. Null accepts an existing queue's, and creates a queue of the group that new files of this process have. Only on Linux on x64 and
    /// ARM64. Means nothing on Windows.
    /// </summary>
    public string? FileGroup { get; set; }

    /// <summary>
    /// Gets or sets a method that is told of events: repairs, dead participants, redeliveries, deletions and failing disks. It hears only those that happen through the handle that is opened with
    /// these options, its producers and its consumers, already while the queue is opened; another process, or another handle, hears its own. It is called on the thread that met the event, while no
    /// lock of the queue is held, and may use the queue, but not the producer or consumer that is at work; nor may it wait for a publisher whose producers may all be at work. It may be called on several
    /// threads at the same time. It must return soon, since the queue waits for it. An exception that it throws is ignored. Null by default; not stored in the queue.
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
