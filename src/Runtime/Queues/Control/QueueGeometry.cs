namespace BufferedMessages.Queues;

/// <summary>What is fixed when a queue is created: the options with the defaults in them.</summary>
internal sealed class QueueGeometry
{
    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    public QueueGeometry(MessageQueueOptions options)
    {
        Mode = options.Mode ?? QueueMode.Durable;
        Producers = options.Producers ?? QueueProducers.Many;
        Flush = options.Flush ?? QueueFlush.None;
        var isBounded = Mode == QueueMode.Bounded;
        SegmentBytes = options.SegmentBytes ?? (isBounded ? MessageQueueOptions.DefaultBoundedSegmentBytes : MessageQueueOptions.DefaultDurableSegmentBytes);
        Slots = isBounded ? options.Slots ?? MessageQueueOptions.DefaultSlots : 0;
        if (!isBounded && options.Slots is not null)
        {
            throw new ArgumentException("Only a bounded queue has slots. Set Mode to QueueMode.Bounded, or leave Slots unset.", nameof(options));
        }

        if (isBounded && (Flush != QueueFlush.None || options.Retention is not null))
        {
            throw new ArgumentException("A bounded queue is neither flushed nor cut by retention. Leave Flush and Retention unset, or set Mode to QueueMode.Durable.", nameof(options));
        }

        Require(options.Retention, SegmentBytes);
    }

    public QueueMode Mode { get; }

    public QueueProducers Producers { get; }

    public QueueFlush Flush { get; }

    public long SegmentBytes { get; }

    /// <summary>0 in a durable queue.</summary>
    public int Slots { get; }

    /// <summary>Requires a queue that exists to be what the options ask for.</summary>
    /// <exception cref="ArgumentException">It is not.</exception>
    public static void Require(ControlFile control, MessageQueueOptions options)
    {
        Require(control, nameof(options.Mode), options.Mode, control.Mode);
        Require(control, nameof(options.Producers), options.Producers, control.Producers);
        Require(control, nameof(options.SegmentBytes), options.SegmentBytes, control.SegmentBytes);
        Require(control, nameof(options.Slots), options.Slots, control.Slots);
        Require(control, nameof(options.Flush), options.Flush, control.Flush);
        if (control.Mode == QueueMode.Bounded && options.Retention is not null)
        {
            throw new ArgumentException($"The queue in '{control.Directory}' is bounded, and has no retention. Leave Retention unset.", nameof(options));
        }

        Require(options.Retention, control.SegmentBytes);
    }

    private static void Require(QueueRetention? retention, long segmentBytes)
    {
        if (retention is null)
        {
            return;
        }

        if (retention.HardLimitBytes < 2 * segmentBytes)
        {
            throw new ArgumentException(
                $"The hard limit of {retention.HardLimitBytes} bytes is less than two segments of {segmentBytes}. Raise HardLimitBytes, or create the queue with smaller segments.",
                nameof(retention));
        }

        if (retention.MaxBytes < segmentBytes || retention.MaxBytes > retention.HardLimitBytes)
        {
            throw new ArgumentException(
                $"MaxBytes is {retention.MaxBytes}; it must be at least one segment of {segmentBytes} bytes, and not above HardLimitBytes.", nameof(retention));
        }

        if (retention is { DropOldestAtHardLimit: true, HardLimitBytes: null })
        {
            throw new ArgumentException("DropOldestAtHardLimit needs a limit. Set HardLimitBytes, or use MaxBytes with KeepUnread = false.", nameof(retention));
        }
    }

    private static void Require<T>(ControlFile control, string option, T? wanted, T found)
        where T : struct
    {
        if (wanted is { } value && !EqualityComparer<T>.Default.Equals(value, found))
        {
            throw new ArgumentException(
                $"The queue in '{control.Directory}' was created with {option} {found}, not {value}. Leave {option} unset to open it as it is, or use another directory.",
                nameof(wanted));
        }
    }
}
