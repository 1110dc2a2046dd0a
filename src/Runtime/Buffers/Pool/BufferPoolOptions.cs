using System.Numerics;

namespace BufferedMessages;

/// <summary>How a <see cref="BufferPool"/> works. Each value is checked when it is set, and all together when the pool is made.</summary>
public sealed record BufferPoolOptions
{
    /// <summary>4 KB.</summary>
    public const int MinBlockBytes = 4 * 1024;

    /// <summary>1 MB.</summary>
    public const int MaxBlockBytes = 1024 * 1024;

    /// <summary>The largest number of sizes above the blocks: 4096.</summary>
    public const int MaxLargeSizes = 4096;

    /// <summary>The name of the pool in metrics. Null gives it one: "pool-1", "pool-2" and so on.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// Bytes of the largest block: a power of two from <see cref="MinBlockBytes"/> to <see cref="MaxBlockBytes"/>; 64 KB by default. There are
    /// four sizes of blocks, each a quarter of the next: 1, 4, 16 and 64 KB by default.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is no power of two, or out of range.</exception>
    public int BlockBytes
    {
        get;
        init => field = value is >= MinBlockBytes and <= MaxBlockBytes && BitOperations.IsPow2(value)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, $"Blocks must be a power of two from {MinBlockBytes} to {MaxBlockBytes} bytes.");
    } = 64 * 1024;

    /// <summary>Bytes of the smallest buffer above the blocks, more than <see cref="BlockBytes"/>; 128 KB by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public int LargeBufferBytes
    {
        get;
        init => field = Positive(value);
    } = 128 * 1024;

    /// <summary>How the sizes go on from <see cref="LargeBufferBytes"/>; exponential by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Neither of the two.</exception>
    public LargeBufferGrowth LargeBufferGrowth
    {
        get;
        init => field = value is LargeBufferGrowth.Exponential or LargeBufferGrowth.Linear
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "Growth is exponential or linear.");
    }

    /// <summary>
    /// The largest buffer that is pooled, in bytes, from <see cref="LargeBufferBytes"/> to 1 GB; 128 MB by default. What is larger is allocated
    /// in its exact size and left to the garbage collector when it is returned.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or above 1 GB.</exception>
    public int MaxPooledBufferBytes
    {
        get;
        init => field = value is > 0 and <= 1024 * 1024 * 1024
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The largest pooled buffer must be from 1 byte to 1 GB.");
    } = 128 * 1024 * 1024;

    /// <summary>The most bytes that free buffers may take together; what is returned above is dropped. 128 MB by default; 0 pools nothing.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxFreeBytes
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            field = value;
        }
    } = 128 * 1024 * 1024;

    /// <summary>The longest a stream may become, in bytes; 64 GB by default. It keeps a wrong position from taking all memory.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public long MaxStreamBytes
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            field = value;
        }
    } = 64L * 1024 * 1024 * 1024;

    /// <summary>
    /// A buffer that was free for so long is dropped, at the latest after twice this time; 1 minute by default.
    /// <see cref="Timeout.InfiniteTimeSpan"/> keeps free buffers until <see cref="BufferPool.Trim"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Neither from 1 millisecond to 24 days nor infinite.</exception>
    public TimeSpan TrimAfter
    {
        get;
        init => field = value == Timeout.InfiniteTimeSpan || (value.TotalMilliseconds >= 1 && value.TotalDays <= 24)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The time must be from 1 millisecond to 24 days, or infinite.");
    } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Buffers are allocated on the pinned object heap, and what is rented starts at an address that 64 divides: for native code and for vector
    /// instructions. False by default; each buffer takes 64 bytes more.
    /// </summary>
    public bool Pinned { get; init; }

    /// <summary>What was written to a buffer is set to zero when it is returned, so that no other rental can see it. False by default.</summary>
    public bool ClearOnReturn { get; init; }

    /// <summary>
    /// Returned buffers are filled with 0xDD, and renting one that was changed since throws <see cref="InvalidOperationException"/>: it shows
    /// code that goes on using spans or arrays of what it disposed. For tests; false by default.
    /// </summary>
    public bool PoisonOnReturn { get; init; }

    /// <summary>
    /// Every stream and owner is remembered with the stack of its rental, and reported by <see cref="BufferPool.LeakFound"/> when it was
    /// collected without being disposed. Renting takes microseconds then; false by default.
    /// </summary>
    public bool TrackRentals { get; init; }

    /// <summary>The clock of <see cref="TrimAfter"/>; the system's by default.</summary>
    /// <exception cref="ArgumentNullException">Null.</exception>
    public TimeProvider TimeProvider
    {
        get;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            field = value;
        }
    } = TimeProvider.System;

    private static int Positive(int value)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
        return value;
    }
}
