using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>The place of one entry in an <see cref="IndexTable"/>, which must be kept alive while the cell is used. The default value is not a cell.</summary>
internal readonly struct IndexCell
{
    /// <summary>The largest number of reads that is counted.</summary>
    public const int MaxReads = 15;

    // SAFETY: as the constructor says.
    private readonly unsafe ulong* _word;

    // SAFETY: the table computes the address from a bucket in its file, and keeps the file mapped.
    public unsafe IndexCell(ulong* word)
    {
        Debug.Assert((nuint)word % sizeof(ulong) == 0, "Readers would see halves of a word that is not aligned.");
        _word = word;
    }

    // SAFETY: buckets are aligned, so the address says where the bucket ends.
    private unsafe uint* ReadCounts
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (uint*)(((nint)_word & -Bucket.Bytes) + Bucket.Bytes - sizeof(uint));
    }

    // Four bits for each word of eight bytes.
    // SAFETY: only calculates with the address.
    private unsafe int ReadShift
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (int)((nint)_word & (Bucket.Bytes - sizeof(ulong))) >> 1;
    }

    // SAFETY: compares the address, and reads nothing.
    public unsafe bool Exists => _word is not null;

    /// <summary>Gets the word of the entry, see <see cref="IndexWord"/>.</summary>
    // SAFETY: the constructor's caller has bounded the address, and the table keeps it mapped.
    public unsafe ulong Word => Volatile.Read(ref *_word);

    // SAFETY: as Word.
    public unsafe void Write(ulong word) => Volatile.Write(ref *_word, word);

    // SAFETY: as Word.
    public unsafe ulong Exchange(ulong word) => Interlocked.Exchange(ref *_word, word);

    /// <summary>Gets the number of words before the cell, from a word of the same table on.</summary>
    // SAFETY: only calculates with addresses.
    public unsafe long NumberFrom(ulong* first) => _word - first;

    /// <summary>Gets how often the entry was read, up to <see cref="MaxReads"/>: in the bucket's last word, four bits for each entry.</summary>
    // SAFETY: the counts are in the same bucket as the word.
    public unsafe int Reads => (int)(*ReadCounts >> ReadShift) & MaxReads;

    /// <summary>
    /// Counts a read. Takes no lock: of two concurrent counts one may be lost, and nothing is written when the count is at its limit.
    /// </summary>
    // SAFETY: the counts are in the same bucket as the word. The link is in the other half of the last word, and is not touched.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void CountRead()
    {
        var counts = ReadCounts;
        var known = *counts;
        var shift = ReadShift;
        if (((known >> shift) & MaxReads) != MaxReads)
        {
            *counts = known + (1u << shift);
        }
    }

    /// <summary>Sets the number of reads.</summary>
    // SAFETY: as CountRead.
    public unsafe void SetReads(int reads)
    {
        Debug.Assert(reads is >= 0 and <= MaxReads, "The count would overwrite that of another entry.");
        var counts = ReadCounts;
        *counts = (*counts & ~((uint)MaxReads << ReadShift)) | ((uint)reads << ReadShift);
    }

    /// <summary>Replaces a word, unless the cell holds another one by now.</summary>
    // SAFETY: as Word.
    public unsafe void TryReplace(ulong known, ulong word) => Interlocked.CompareExchange(ref *_word, word, known);
}
