using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>Where a segment is mapped, and what of it is in memory.</summary>
/// <param name="start">Its first byte; null when it is not mapped.</param>
/// <param name="chunks">Its chunks, as <see cref="ResidentMemory"/> counts them.</param>
internal readonly unsafe struct MappedSegment(byte* start, byte[]? chunks)
{
    public byte* Start { get; } = start;

    /// <summary>A byte may be read without <see cref="ResidentMemory.Use"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUsed(long offset) => chunks![ResidentMemory.ChunkOf((nint)Start, offset)] == ResidentMemory.Used;

    /// <summary>So may all bytes of a record of which the first one may be. It is in two chunks at most.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUsedUntil(long offset, uint bytes) => bytes <= ResidentMemory.ChunkBytes && IsUsed(offset + bytes - 1);
}
