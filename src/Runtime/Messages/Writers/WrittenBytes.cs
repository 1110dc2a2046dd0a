using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages;

/// <summary>The numbers of bytes that an object says it needs and wrote. A user may have written the methods, so the numbers are checked before memory is reserved or read by them.</summary>
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

    /// <summary>Requires that an object can need as many bytes.</summary>
    /// <param name="bytes">The result of <see cref="IBufferedMessageSource{TSelf}.CalculateSize"/>.</param>
    /// <exception cref="InvalidOperationException">It cannot.</exception>
    public static void RequireSize<TSource>(int bytes)
    {
        if (bytes < 0)
        {
            ThrowNegative(typeof(TSource), bytes);
        }
    }

    [DoesNotReturn]
    private static void ThrowNegative(Type source, int bytes) => throw new InvalidOperationException(
        $"{source.Name}.CalculateSize returned {bytes}. It must return the number of bytes that Write writes.");

    [DoesNotReturn]
    private static void ThrowImpossible(Type source, int bytes, int room) => throw new InvalidOperationException(
        $"{source.Name}.Write returned {bytes}, but was given memory for {room} bytes. It must return the number of bytes that it wrote.");
}
