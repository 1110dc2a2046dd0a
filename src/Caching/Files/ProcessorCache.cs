using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace BufferedMessages.Caching;

/// <summary>Hints to the processor about the next reads, on processors that take such hints.</summary>
internal static class ProcessorCache
{
    // Of more bytes the processor sees by itself that they are read one after the other.
    private const uint MostOfRecord = 1280;

    /// <summary>Begins to load bytes into the processor's cache.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Prefetch(byte* start, int bytes)
    {
        if (Sse.IsSupported)
        {
            for (var offset = 0; offset < bytes; offset += Bucket.Bytes)
            {
                Sse.Prefetch0(start + offset);
            }
        }
    }

    /// <summary>Begins to load a record, or the first part of a long one.</summary>
    // SAFETY: as Prefetch.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void PrefetchRecord(byte* start, uint bytes) => Prefetch(start, (int)Math.Min(bytes, MostOfRecord));
}
