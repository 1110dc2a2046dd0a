using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>Makes the padding of stored structs zero, so that equal values give equal bytes and no stale memory leaves the process.</summary>
internal static class StructPadding
{
    public static void Clear(ref byte value, int size, ReadOnlySpan<ushort> padding)
    {
        for (var i = 0; i + 1 < padding.Length; i += 2)
        {
            var offset = padding[i];
            var length = padding[i + 1];
            if (offset + length > size)
            {
                WriteFailure.ThrowOutsideOfBlock();
            }

            Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref value, offset), 0, length);
        }
    }
}
