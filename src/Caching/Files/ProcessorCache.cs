using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace BufferedMessages.Caching;

/// <summary>Tells the processor what will be read, where it can be told.</summary>
internal static unsafe class ProcessorCache
{
    /// <summary>Begins to load bytes that need not be there: memory that is not mapped is not touched.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(byte* start, int bytes)
    {
        if (Sse.IsSupported)
        {
            for (var offset = 0; offset < bytes; offset += Bucket.Bytes)
            {
                Sse.Prefetch0(start + offset);
            }
        }
    }
}
