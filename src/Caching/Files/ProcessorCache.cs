using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace BufferedMessages.Caching;

/// <summary>Tells the processor what will be read, where it can be told.</summary>
internal static unsafe class ProcessorCache
{
    private const int LineBytes = 64;

    /// <summary>Begins to load bytes that need not be there: memory that is not mapped is not touched.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(byte* start, int bytes)
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
