using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The order of texts by their UTF-8 bytes, found without encoding them. It is that of the code points, and so of the UTF-16 units,
/// except that surrogates, which stand for the highest code points, come after all other units.
/// </summary>
internal static class TextOrder
{
    private const int PrefixChars = 4;
    private const int BitsPerChar = 16;
    private const ulong FourNotAscii = 0xFF80_FF80_FF80_FF80;

    /// <summary>Gets a number of the first four characters: a text with a smaller one comes first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong PrefixOf(string text)
    {
        if (text.Length >= PrefixChars)
        {
            var chars = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref MemoryMarshal.GetReference(text.AsSpan())));
            if ((chars & FourNotAscii) == 0)
            {
                // The upper byte of each character is zero, so that the order of the two bytes in it does not matter.
                return BinaryPrimitives.ReverseEndianness(chars) >> 8;
            }
        }

        return PrefixOfAny(text);
    }

    /// <summary>Compares two texts.</summary>
    /// <returns>A negative number if the first one comes first; 0 if they are the same.</returns>
    public static int Compare(string left, string right)
    {
        var common = left.AsSpan().CommonPrefixLength(right);
        return common == left.Length || common == right.Length
            ? left.Length.CompareTo(right.Length)
            : PlaceOf(left[common]) - PlaceOf(right[common]);
    }

    private static ulong PrefixOfAny(string text)
    {
        var prefix = 0UL;
        for (var i = 0; i < PrefixChars; i++)
        {
            prefix = (prefix << BitsPerChar) | (i < text.Length ? (ulong)PlaceOf(text[i]) : 0);
        }

        return prefix;
    }

    // Surrogates are 0xD800 to 0xDFFF, and change places with the units above them.
    private static int PlaceOf(char unit) => unit < 0xD800 ? unit : unit < 0xE000 ? unit + 0x2000 : unit - 0x800;
}
