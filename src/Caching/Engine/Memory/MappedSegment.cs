using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The address at which a segment was found mapped, and the state of its chunks. A caller may read it after it has taken a lease and found the address unchanged.</summary>
internal readonly struct MappedSegment
{
    private readonly byte[]? _chunks;

    /// <param name="start">Its first byte; null when it is not mapped.</param>
    /// <param name="chunks">Its chunks, as <see cref="ResidentMemory"/> counts them.</param>
    // SAFETY: only stores the address.
    public unsafe MappedSegment(byte* start, byte[]? chunks)
    {
        Start = start;
        _chunks = chunks;
    }

    // SAFETY: a lease keeps the segment mapped.
    public unsafe byte* Start { get; }

    // SAFETY: compares the address, and reads nothing.
    public unsafe bool IsMapped => Start is not null;

    /// <summary>Determines whether a byte may be read without <see cref="ResidentMemory.Use"/>.</summary>
    // SAFETY: the address only selects the chunk.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool IsUsed(long offset) => _chunks![ResidentMemory.ChunkOf((nint)Start, offset)] == ResidentMemory.Used;

    /// <summary>Determines the same for all bytes of a record whose first byte may be read. A record that is not larger than a chunk is in two chunks at most.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUsedUntil(long offset, uint bytes) => bytes <= ResidentMemory.ChunkBytes && IsUsed(offset + bytes - 1);

    /// <summary>Begins to load the bytes at an offset into the processor's cache. It needs no lease.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Prefetch(long offset, int bytes) => ProcessorCache.Prefetch(Start + offset, bytes);

    /// <summary>Reads the record at an offset.</summary>
    // SAFETY: the caller's lease keeps the segment mapped; the offset is below the segment's bytes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool TryRead(long offset, long segmentBytes, out CacheRecord record)
    {
        Debug.Assert((ulong)offset < (ulong)segmentBytes, "The record is outside the segment.");
        return CacheRecord.TryRead(Start + offset, segmentBytes - offset, out record);
    }
}
