using System.Numerics;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// How a queue is created. What is not set is taken from the disk, or from the default for a new queue. What is set must be what the
/// queue was created with, except <see cref="Retention"/>, which replaces what was stored.
/// </summary>
public sealed record MessageQueueOptions
{
    /// <summary>64 KB.</summary>
    public const long MinSegmentBytes = 64 * 1024;

    /// <summary>1 GB.</summary>
    public const long MaxSegmentBytes = 1024 * 1024 * 1024;

    /// <summary>64 MB: the size of a durable queue's segments when none is asked for.</summary>
    public const long DefaultDurableSegmentBytes = 64 * 1024 * 1024;

    /// <summary>4 MB: the size of a bounded queue's slots when none is asked for.</summary>
    public const long DefaultBoundedSegmentBytes = 4 * 1024 * 1024;

    /// <summary>4: the number of a bounded queue's slots when none is asked for.</summary>
    public const int DefaultSlots = 4;

    /// <summary>Durable or bounded. Null accepts what exists, and creates a durable queue.</summary>
    public QueueMode? Mode { get; init; }

    /// <summary>One producer or many. Null accepts what exists, and creates a queue for many.</summary>
    public QueueProducers? Producers { get; init; }

    /// <summary>
    /// Bytes of a segment: a power of two from <see cref="MinSegmentBytes"/> to <see cref="MaxSegmentBytes"/>. A message and its
    /// header of 16 bytes must fit into one segment. Null accepts the size of an existing queue and creates
    /// a new one with <see cref="DefaultDurableSegmentBytes"/> or <see cref="DefaultBoundedSegmentBytes"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is no power of two, or out of range.</exception>
    public long? SegmentBytes
    {
        get;
        init
        {
            if (value is { } bytes && !IsValidSegmentSize(bytes))
            {
                throw new ArgumentOutOfRangeException(
                    nameof(value), value, $"A segment's size must be a power of two from {MinSegmentBytes} to {MaxSegmentBytes} bytes.");
            }

            field = value;
        }
    }

    /// <summary>
    /// How many segments a bounded queue has, from 2 to 256: its memory is this many times <see cref="SegmentBytes"/>.
    /// Null accepts what exists, and creates <see cref="DefaultSlots"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of range.</exception>
    public int? Slots
    {
        get;
        init => field = value is null or (>= RingSlot.MinCount and <= RingSlot.MaxCount)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, $"A bounded queue has from {RingSlot.MinCount} to {RingSlot.MaxCount} slots.");
    }

    /// <summary>When a durable queue is written to the disk. Null accepts what exists, and creates a queue with <see cref="QueueFlush.None"/>.</summary>
    public QueueFlush? Flush { get; init; }

    /// <summary>The longest time between two flushes of <see cref="QueueFlush.Interval"/>; 1 second by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan FlushInterval
    {
        get;
        init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "The interval must be positive.");
    } = TimeSpan.FromSeconds(1);

    /// <summary>A producer asks for a flush of <see cref="QueueFlush.Interval"/> after this many messages; 1,000 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public int FlushMessages
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            field = value;
        }
    } = 1_000;

    /// <summary>What a durable queue deletes. Null keeps what is stored; a new queue deletes nothing.</summary>
    public QueueRetention? Retention { get; init; }

    internal static bool IsValidSegmentSize(long bytes) => bytes is >= MinSegmentBytes and <= MaxSegmentBytes && BitOperations.IsPow2(bytes);
}
