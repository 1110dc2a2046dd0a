using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace BufferedMessages.Segments;

/// <summary>Hints to the processor about the next reads, on processors that take such hints.</summary>
internal static class ProcessorCache
{
    /// <summary>The bytes of a line.</summary>
    public const int LineBytes = 64;

    /// <summary>Begins to load bytes into the processor's cache.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Prefetch(byte* start, int bytes)
    {
        if (Sse.IsSupported)
        {
            for (var offset = 0; offset < bytes; offset += LineBytes)
            {
                Sse.Prefetch0(start + offset);
            }
        }
    }
}
