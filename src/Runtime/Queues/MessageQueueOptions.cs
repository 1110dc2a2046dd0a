using System.Numerics;

namespace BufferedMessages;

/// <summary>How a queue is created. What is not set is taken from the disk, or from the default for a new queue.</summary>
public sealed record MessageQueueOptions
{
    /// <summary>64 KB.</summary>
    public const long MinSegmentBytes = 64 * 1024;

    /// <summary>1 GB.</summary>
    public const long MaxSegmentBytes = 1024 * 1024 * 1024;

    /// <summary>64 MB.</summary>
    public const long DefaultSegmentBytes = 64 * 1024 * 1024;

    /// <summary>
    /// Bytes of a segment file: a power of two from <see cref="MinSegmentBytes"/> to <see cref="MaxSegmentBytes"/>. A message and its
    /// header of 16 bytes must fit into one segment. Null, the default, accepts the size of an existing queue and creates
    /// a new one with <see cref="DefaultSegmentBytes"/>.
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

    internal static bool IsValidSegmentSize(long bytes) => bytes is >= MinSegmentBytes and <= MaxSegmentBytes && BitOperations.IsPow2(bytes);
}
