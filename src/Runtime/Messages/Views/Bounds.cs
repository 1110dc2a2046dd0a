using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>A check of indices that the compiler omits if a loop has made it.</summary>
internal static class Bounds
{
    /// <summary>Requires an index to be below a count.</summary>
    /// <exception cref="IndexOutOfRangeException">It is not.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Require(int index, int count)
    {
        // The compiler reasons about the bounds of spans, and hardly of other types. Nothing is read.
        ref readonly var element = ref MemoryMarshal.CreateReadOnlySpan(ref Unsafe.NullRef<byte>(), count)[index];
    }
}
