using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace BufferedMessages.Segments;

/// <summary>CRC-32C (Castagnoli) over bytes. A check starts with <see cref="Start"/>, and its result is the complement of the last value.</summary>
/// <remarks>
/// The processor's instruction takes three cycles, but one begins each cycle. So longer bytes are cut into three lanes of the same length, whose checks are calculated at the same time. A check is
/// linear: that of a lane goes on over the lanes after it by a product with a power of x, of which the last word of the last lane takes the rest.
/// </remarks>
internal static class Crc32C
{
    public const uint Start = ~0u;

    private const int Lanes = 3;

    // Of shorter bytes the products would take longer than the lanes save.
    private const int FewestWords = 18;
    private const int MostWordsInLane = 128;

    /// <summary>Continues a check with more bytes.</summary>
    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        var words = MemoryMarshal.Cast<byte, ulong>(bytes);
        if (Pclmulqdq.IsSupported)
        {
            while (words.Length >= FewestWords)
            {
                var length = Math.Min(words.Length / Lanes, MostWordsInLane);
                crc = AppendLanes(crc, words[..(Lanes * length)], length);
                words = words[(Lanes * length)..];
            }
        }

        foreach (var word in words)
        {
            crc = BitOperations.Crc32C(crc, word);
        }

        foreach (var rest in bytes[(bytes.Length & ~7)..])
        {
            crc = BitOperations.Crc32C(crc, rest);
        }

        return crc;
    }

    // SAFETY: The words are three times as many as a lane has, so each index is below their number.
    private static uint AppendLanes(uint crc, ReadOnlySpan<ulong> words, int length)
    {
        Debug.Assert(words.Length == Lanes * length && length is > 0 and <= MostWordsInLane, "The words are those of three lanes.");
        ref var first = ref MemoryMarshal.GetReference(words);
        ref var second = ref Unsafe.Add(ref first, length);
        ref var third = ref Unsafe.Add(ref second, length);
        var (crc2, crc3) = (0u, 0u);
        var last = (nuint)length - 1;
        for (nuint i = 0; i < last; i++)
        {
            crc = BitOperations.Crc32C(crc, Unsafe.Add(ref first, i));
            crc2 = BitOperations.Crc32C(crc2, Unsafe.Add(ref second, i));
            crc3 = BitOperations.Crc32C(crc3, Unsafe.Add(ref third, i));
        }

        crc = BitOperations.Crc32C(crc, Unsafe.Add(ref first, last));
        crc2 = BitOperations.Crc32C(crc2, Unsafe.Add(ref second, last));
        var powers = Powers.OfWords;
        return BitOperations.Crc32C(crc3, Unsafe.Add(ref third, last) ^ Product(crc, powers[2 * length]) ^ Product(crc2, powers[length]));
    }

    private static ulong Product(uint crc, ulong power) =>
        Pclmulqdq.CarrylessMultiply(Vector128.CreateScalar((ulong)crc), Vector128.CreateScalar(power), 0).ToScalar();

    private static class Powers
    {
        private const uint Polynomial = 0x82F6_3B78;

        /// <summary>For n words x to the power of 64 n - 33, modulo the polynomial, with its bits in reverse: the product with a check is the word that continues it over n words of zeros.</summary>
        public static readonly ulong[] OfWords = Make();

        private static ulong[] Make()
        {
            const int FirstPower = 31;
            const int WordBits = 64;
            var powers = new ulong[(2 * MostWordsInLane) + 1];
            var power = 1u << FirstPower;
            for (var words = 1; words < powers.Length; words++)
            {
                for (var bit = words == 1 ? WordBits - FirstPower : 0; bit < WordBits; bit++)
                {
                    power = (power >> 1) ^ ((power & 1) * Polynomial);
                }

                powers[words] = power;
            }

            return powers;
        }
    }
}
