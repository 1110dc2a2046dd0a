using System.Numerics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The values fixed when a queue is created: the options, with the defaults filled in.</summary>
internal sealed class QueueGeometry
{
    public const long MinSegmentBytes = 64 * 1024;
    public const long MaxSegmentBytes = 1024 * 1024 * 1024;
    private const long DurableSegmentBytes = 64 * 1024 * 1024;
    private const long BoundedSegmentBytes = 4 * 1024 * 1024;
    private const int DefaultFlushMessages = 1_000;
    public const int DefaultSlots = 4;

    /// <summary>The shortest interval of flushes. A thread cannot wait for less, so it would flush without a pause.</summary>
    public static readonly TimeSpan LeastFlushInterval = TimeSpan.FromMilliseconds(1);

    private static readonly TimeSpan DefaultFlushInterval = TimeSpan.FromSeconds(1);

    /// <param name="options">The options asked for.</param>
    /// <param name="defaultMode">The mode if none is asked for.</param>
    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    public QueueGeometry(MessageQueueOptions options, QueueMode defaultMode)
    {
        Mode = options.Mode ?? defaultMode;
        Producers = options.Producers ?? ProducerMode.Multiple;
        Flush = options.Flush ?? FlushMode.None;
        FlushInterval = options.FlushInterval ?? DefaultFlushInterval;
        FlushMessages = options.FlushMessages ?? DefaultFlushMessages;
        var isBounded = Mode == QueueMode.Bounded;
        SegmentBytes = options.SegmentBytes ?? (isBounded ? BoundedSegmentBytes : DurableSegmentBytes);
        Slots = isBounded ? options.Slots ?? DefaultSlots : 0;
        if (!isBounded && options.Slots is not null)
        {
            throw new ArgumentException("Only a bounded queue has slots. Set Mode to QueueMode.Bounded, or leave Slots unset.", nameof(options));
        }

        if (isBounded && (Flush != FlushMode.None || options.Retention is not null))
        {
            throw new ArgumentException("A bounded queue is never flushed, and has no retention. Leave Flush and Retention unset, or set Mode to QueueMode.Durable.", nameof(options));
        }

        if (Flush != FlushMode.Interval && (options.FlushInterval is not null || options.FlushMessages is not null))
        {
            throw new ArgumentException("FlushInterval and FlushMessages are for a queue that is flushed at intervals. Set Flush to FlushMode.Interval, or leave both unset.", nameof(options));
        }

        Require(options.Retention, SegmentBytes);
    }

    public QueueMode Mode { get; }

    public ProducerMode Producers { get; }

    public FlushMode Flush { get; }

    public TimeSpan FlushInterval { get; }

    public int FlushMessages { get; }

    public long SegmentBytes { get; }

    /// <summary>0 in a durable queue.</summary>
    public int Slots { get; }

    /// <summary>A segment can have this length.</summary>
    public static bool IsValidSegmentSize(long bytes) => bytes is >= MinSegmentBytes and <= MaxSegmentBytes && BitOperations.IsPow2(bytes);

    /// <summary>Requires each option to be one that some queue can have.</summary>
    /// <exception cref="ArgumentOutOfRangeException">One is out of range.</exception>
    /// <exception cref="ArgumentException">Files cannot have the mode or the group.</exception>
    public static void RequireValid(MessageQueueOptions options)
    {
        Require(options.Mode is not { } mode || Enum.IsDefined(mode), nameof(options.Mode), options.Mode, "is not one of the modes");
        Require(options.Producers is not { } producers || Enum.IsDefined(producers), nameof(options.Producers), options.Producers, "is not one of the modes");
        Require(options.Flush is not { } flush || Enum.IsDefined(flush), nameof(options.Flush), options.Flush, "is not one of the modes");
        Require(
            options.SegmentBytes is not { } bytes || IsValidSegmentSize(bytes), nameof(options.SegmentBytes), options.SegmentBytes, $"must be a power of two from {MinSegmentBytes} to {MaxSegmentBytes}");
        Require(
            options.Slots is null or (>= RingSlot.MinCount and <= RingSlot.MaxCount), nameof(options.Slots), options.Slots, $"must be from {RingSlot.MinCount} to {RingSlot.MaxCount}");
        Require(options.FlushInterval is not { } interval || interval >= LeastFlushInterval, nameof(options.FlushInterval), options.FlushInterval, "must be at least 1 millisecond");
        Require(options.FlushMessages is null or > 0, nameof(options.FlushMessages), options.FlushMessages, "must be positive");
        if (options.Retention is { } retention)
        {
            Require(retention.MaxBytes is null or > 0, nameof(retention.MaxBytes), retention.MaxBytes, "must be positive");
            Require(retention.MaxAge is not { } age || age > TimeSpan.Zero, nameof(retention.MaxAge), retention.MaxAge, "must be positive");
            Require(retention.HardLimitBytes is null or > 0, nameof(retention.HardLimitBytes), retention.HardLimitBytes, "must be positive");
        }

        if (FilePermissions.FaultOf(options.FileMode, options.FileGroup) is var (option, text))
        {
            throw new ArgumentException(text, option);
        }
    }

    /// <summary>Requires a queue that exists to have the options asked for.</summary>
    /// <param name="control">The queue.</param>
    /// <param name="options">The options.</param>
    /// <param name="permissions">The permissions that they ask for.</param>
    /// <exception cref="ArgumentException">It has others.</exception>
    public static void Require(ControlMap control, MessageQueueOptions options, FilePermissions permissions)
    {
        Require(control, nameof(options.Mode), options.Mode, control.Mode);
        Require(control, nameof(options.Producers), options.Producers, control.Producers);
        Require(control, nameof(options.SegmentBytes), options.SegmentBytes, control.SegmentBytes);
        Require(control, nameof(options.Slots), options.Slots, control.Slots);
        Require(control, nameof(options.Flush), options.Flush, control.Flush);
        Require(control, nameof(options.FlushInterval), options.FlushInterval, control.FlushInterval);
        Require(control, nameof(options.FlushMessages), options.FlushMessages, control.FlushMessages);
        if (control.Permissions.DifferenceFrom(options.FileMode, options.FileGroup, permissions) is { } difference)
        {
            throw new ArgumentException(
                $"The files of the queue in '{control.Directory}' have {difference}. Leave FileMode and FileGroup unset to open it as it is, or use another directory.", nameof(options));
        }

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

    private static void Require(bool isValid, string option, object? value, string rule)
    {
        if (!isValid)
        {
            throw new ArgumentOutOfRangeException(option, value, $"{option} {rule}.");
        }
    }

    // Objects, because a method for each type of value would be compiled when the program starts.
    private static void Require(ControlMap control, string option, object? wanted, object found)
    {
        if (wanted is not null && !wanted.Equals(found))
        {
            throw new ArgumentException(
                $"The queue in '{control.Directory}' was created with {option} {found}, not {wanted}. Leave {option} unset to open it as it is, or use another directory.",
                option);
        }
    }
}
