using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace BufferedMessages.Caching;

/// <summary>Eight words in one line of the processor's cache.</summary>
internal static class Bucket
{
    public const int Words = 8;

    public const int Bytes = Words * sizeof(ulong);

    /// <summary>
    /// Gets a bit for each word that equals the wanted one under a mask. All words are compared at once, without a branch: the position of a match is unpredictable, and
    /// a processor without a mispredicted branch begins the next reads while it waits for memory.
    /// </summary>
    // SAFETY: callers pass a whole bucket, and keep its memory alive; exactly its eight words are loaded.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe uint Matches(ulong* bucket, ulong mask, ulong wanted)
    {
        Debug.Assert((nuint)bucket % Bytes == 0, "The bucket would be in two lines.");
        var masks = Vector256.Create(mask);
        var wants = Vector256.Create(wanted);
        return Vector256.Equals(Vector256.Load(bucket) & masks, wants).ExtractMostSignificantBits()
            | (Vector256.Equals(Vector256.Load(bucket + Vector256<ulong>.Count) & masks, wants).ExtractMostSignificantBits() << Vector256<ulong>.Count);
    }

    /// <summary>Allocates buckets in memory that does not move.</summary>
    /// <param name="count">The number of buckets.</param>
    /// <param name="first">The first one, aligned. Valid while the array is referred to.</param>
    // SAFETY: the array is pinned, and one bucket longer than asked for, so the aligned buckets are inside it.
    public static unsafe ulong[] Allocate(int count, out ulong* first)
    {
        Debug.Assert(count > 0, "An empty array has no first word.");
        var words = GC.AllocateArray<ulong>((count + 1) * Words, pinned: true);
        first = (ulong*)(((nuint)Unsafe.AsPointer(ref words[0]) + Bytes - 1) & ~(nuint)(Bytes - 1));
        return words;
    }
}
