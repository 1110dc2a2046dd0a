using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace BufferedMessages.Caching;

/// <summary>Eight words in one line of the processor's cache.</summary>
internal static unsafe class Bucket
{
    public const int Words = 8;

    public const int Bytes = Words * sizeof(ulong);

    /// <summary>
    /// A bit for each word that is as wanted under a mask. All are compared at once, without a branch: which one it is cannot be predicted, and a processor that predicts
    /// nothing wrong here goes on to the next reads while it waits for memory.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Matches(ulong* bucket, ulong mask, ulong wanted)
    {
        var masks = Vector256.Create(mask);
        var wants = Vector256.Create(wanted);
        return Vector256.Equals(Vector256.Load(bucket) & masks, wants).ExtractMostSignificantBits()
            | (Vector256.Equals(Vector256.Load(bucket + Vector256<ulong>.Count) & masks, wants).ExtractMostSignificantBits() << Vector256<ulong>.Count);
    }

    /// <summary>Allocates buckets in memory that does not move.</summary>
    /// <param name="count">How many.</param>
    /// <param name="first">The first one, aligned. Valid as long as the array is referred to.</param>
    public static ulong[] Allocate(int count, out ulong* first)
    {
        var words = GC.AllocateArray<ulong>((count + 1) * Words, pinned: true);
        first = (ulong*)(((nuint)Unsafe.AsPointer(ref words[0]) + Bytes - 1) & ~(nuint)(Bytes - 1));
        return words;
    }
}
