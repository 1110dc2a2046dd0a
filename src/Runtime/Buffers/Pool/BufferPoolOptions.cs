using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace BufferedMessages;

/// <summary>The options of a <see cref="BufferPool"/>. They are checked and copied when the pool is created; later changes do not affect it.</summary>
public sealed class BufferPoolOptions
{
    private const int MinBlockBytes = 4 * 1024;
    private const int MaxBlockBytes = 1024 * 1024;
    private const int MaxBufferBytes = 1024 * 1024 * 1024;
    private const int MaxTrimDays = 24;

    /// <summary>Gets or sets the name of the pool in metrics. If null, the pool gets a name such as "pool-1" or "pool-2".</summary>
    public string? Name { get; set; }

    /// <summary>
    /// Gets or sets the size of the largest block: a power of two from 4 KB to 1 MB; 64 KB by default. There are
    /// four sizes of blocks, each a quarter of the next: 1, 4, 16 and 64 KB by default.
    /// </summary>
    public int BlockBytes { get; set; } = 64 * 1024;

    /// <summary>Gets or sets the size of the smallest buffer above the blocks, more than <see cref="BlockBytes"/>; 128 KB by default.</summary>
    public int LargeBufferBytes { get; set; } = 128 * 1024;

    /// <summary>Gets or sets how the sizes grow above <see cref="LargeBufferBytes"/>; exponentially by default. There can be at most 4096 sizes.</summary>
    public LargeBufferGrowth LargeBufferGrowth { get; set; }

    /// <summary>
    /// Gets or sets the size of the largest pooled buffer, from <see cref="LargeBufferBytes"/> to 1 GB; 128 MB by default. A larger one is allocated
    /// with its exact size, and left to the garbage collector when it is returned. If the value is not one of the sizes, the largest one is the size below it.
    /// </summary>
    public int MaxPooledBufferBytes { get; set; } = 128 * 1024 * 1024;

    /// <summary>Gets or sets the maximum number of bytes in all free buffers; a returned buffer that would exceed it is dropped. 128 MB by default; 0 disables pooling.</summary>
    public long MaxFreeBytes { get; set; } = 128 * 1024 * 1024;

    /// <summary>Gets or sets the maximum length of a stream in bytes; 64 GB by default. It keeps a wrong position from using up all memory.</summary>
    public long MaxStreamBytes { get; set; } = 64L * 1024 * 1024 * 1024;

    /// <summary>
    /// Gets or sets the time after which an unused free buffer is dropped, at the latest after twice this time; 1 minute by default. From 1 millisecond to 24 days, or
    /// <see cref="Timeout.InfiniteTimeSpan"/>, which keeps free buffers until <see cref="BufferPool.Trim"/>.
    /// </summary>
    public TimeSpan TrimAfter { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Gets or sets whether buffers are on the pinned object heap, with each rental at a multiple of 64, for native code and vector
    /// instructions. False by default; each buffer takes 64 bytes more.
    /// </summary>
    public bool Pinned { get; set; }

    /// <summary>Gets or sets whether written bytes are set to zero when their buffer is returned, so that no other rental sees them. False by default.</summary>
    public bool ClearOnReturn { get; set; }

    /// <summary>
    /// Gets or sets whether returned buffers are filled with 0xDD, and renting one that was changed since throws <see cref="InvalidOperationException"/>. This finds
    /// code that still uses spans or arrays of a disposed stream or owner. For tests; false by default.
    /// </summary>
    public bool PoisonOnReturn { get; set; }

    /// <summary>
    /// Gets or sets whether every stream and owner is recorded with the stack trace of its rental, and reported by <see cref="BufferPool.LeakFound"/> if it is
    /// collected without being disposed. Renting then takes microseconds. False by default.
    /// </summary>
    public bool TrackRentals { get; set; }

    /// <summary>Gets or sets the clock of <see cref="TrimAfter"/>; the system clock by default.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Checks each value; <see cref="BufferSizes"/> checks whether the sizes are consistent.</summary>
    /// <exception cref="ArgumentException">A value is out of range.</exception>
    internal void Validate()
    {
        Require(BlockBytes is >= MinBlockBytes and <= MaxBlockBytes && BitOperations.IsPow2(BlockBytes), nameof(BlockBytes), BlockBytes, "must be a power of two from 4 KB to 1 MB");
        Require(LargeBufferBytes > 0, nameof(LargeBufferBytes), LargeBufferBytes, "must be positive");
        Require(LargeBufferGrowth is LargeBufferGrowth.Exponential or LargeBufferGrowth.Linear, nameof(LargeBufferGrowth), LargeBufferGrowth, "must be exponential or linear");
        Require(MaxPooledBufferBytes is > 0 and <= MaxBufferBytes, nameof(MaxPooledBufferBytes), MaxPooledBufferBytes, "must be from 1 byte to 1 GB");
        Require(MaxFreeBytes >= 0, nameof(MaxFreeBytes), MaxFreeBytes, "must not be negative");
        Require(MaxStreamBytes > 0, nameof(MaxStreamBytes), MaxStreamBytes, "must be positive");
        Require(
            TrimAfter == Timeout.InfiniteTimeSpan || (TrimAfter.TotalMilliseconds >= 1 && TrimAfter.TotalDays <= MaxTrimDays),
            nameof(TrimAfter),
            TrimAfter,
            "must be from 1 millisecond to 24 days, or infinite");
        Require(TimeProvider is not null, nameof(TimeProvider), TimeProvider, "must be a clock");
    }

    private static void Require<T>([DoesNotReturnIf(false)] bool isFine, string option, T value, string rule)
    {
        if (!isFine)
        {
            throw new ArgumentException(FormattableString.Invariant($"{option} {rule}, but is {value?.ToString() ?? "null"}."));
        }
    }
}
