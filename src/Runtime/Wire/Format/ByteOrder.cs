using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>The byte order of the format, which is that of all processors that .NET runs on today.</summary>
internal static class ByteOrder
{
    /// <summary>Refuses a processor of the other byte order. The compiler drops the check where the order is right.</summary>
    /// <exception cref="PlatformNotSupportedException">The processor is big-endian.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Require()
    {
        if (!BitConverter.IsLittleEndian)
        {
            throw new PlatformNotSupportedException("Messages are little-endian, and this processor is big-endian. Read and write them on a little-endian one.");
        }
    }
}
