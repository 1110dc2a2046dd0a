using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages;

/// <summary>The number of bytes that an object says it wrote. A user may have written the method, so the number is checked before memory is read by it.</summary>
internal static class WrittenBytes
{
    /// <summary>Requires that an object can have written as many bytes.</summary>
    /// <param name="bytes">The result of <see cref="IBufferedMessageSource{TSelf}.Write"/>.</param>
    /// <param name="room">Bytes of the memory that it was given.</param>
    /// <exception cref="InvalidOperationException">It cannot.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Require<TSource>(int bytes, int room)
    {
        if ((uint)bytes > (uint)room)
        {
            ThrowImpossible(typeof(TSource), bytes, room);
        }
    }

    [DoesNotReturn]
    private static void ThrowImpossible(Type source, int bytes, int room) => throw new InvalidOperationException(
        $"{source.Name}.Write returned {bytes}, but was given memory for {room} bytes. It must return the number of bytes that it wrote.");
}
