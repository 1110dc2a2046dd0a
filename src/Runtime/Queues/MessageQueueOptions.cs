namespace BufferedMessages;

/// <summary>
/// How a queue is created. What is not set is taken from the disk, or from the default for a new queue. What is set must be what the
/// queue was created with, except <see cref="Retention"/>, which replaces what was stored. Checked as a whole when the queue is opened.
/// </summary>
public sealed class MessageQueueOptions
{
    /// <summary>Durable or bounded. Null accepts what exists, and creates a durable queue at a path, and a bounded one in shared memory.</summary>
    public QueueMode? Mode { get; set; }

    /// <summary>One producer or many. Null accepts what exists, and creates a queue for many.</summary>
    public ProducerMode? Producers { get; set; }

    /// <summary>
    /// Bytes of a segment: a power of two from 64 KB to 1 GB. A message and its header of 16 bytes must fit into one segment. Null accepts the size of
    /// an existing queue, and creates a durable queue with segments of 64 MB, and a bounded one with segments of 4 MB.
    /// </summary>
    public long? SegmentBytes { get; set; }

    /// <summary>
    /// How many segments a bounded queue has, from 2 to 256: its memory is this many times <see cref="SegmentBytes"/>.
    /// Null accepts what exists, and creates 4.
    /// </summary>
    public int? Slots { get; set; }

    /// <summary>When a durable queue is written to the disk. Null accepts what exists, and creates a queue with <see cref="FlushMode.None"/>.</summary>
    public FlushMode? Flush { get; set; }

    /// <summary>The longest time between two flushes of <see cref="FlushMode.Interval"/>; 1 second by default.</summary>
    public TimeSpan FlushInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>A producer asks for a flush of <see cref="FlushMode.Interval"/> after this many messages; 1,000 by default.</summary>
    public int FlushMessages { get; set; } = 1_000;

    /// <summary>What a durable queue deletes. Null keeps what is stored; a new queue deletes nothing.</summary>
    public QueueRetention? Retention { get; set; }
}
