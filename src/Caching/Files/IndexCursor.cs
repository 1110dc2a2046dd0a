using System.Diagnostics;
using System.Numerics;

namespace BufferedMessages.Caching;

/// <summary>A position in a chain of buckets.</summary>
internal readonly struct IndexCursor
{
    /// <param name="bucket">The bucket.</param>
    /// <param name="matches">A bit for each of its entries that may match.</param>
    /// <param name="links">The number of buckets before it in the chain.</param>
    // SAFETY: only stores the address, which the table has computed.
    public unsafe IndexCursor(ulong* bucket, uint matches, uint links)
    {
        Bucket = bucket;
        Matches = matches;
        Links = links;
    }

    // SAFETY: the cell is inside the bucket, because only its entries have a bit in the matches.
    private unsafe IndexCursor(ulong* bucket, uint matches, uint links, IndexCell cell)
    {
        Bucket = bucket;
        Matches = matches;
        Links = links;
        Cell = cell;
        Word = cell.Word;
    }

    // SAFETY: the table that made the cursor keeps the bucket mapped.
    public unsafe ulong* Bucket { get; }

    /// <summary>Gets the matches in the bucket that are not visited yet.</summary>
    public uint Matches { get; }

    /// <summary>Gets the number of buckets before this one in the chain.</summary>
    public uint Links { get; }

    /// <summary>Gets the cell of the current entry.</summary>
    public IndexCell Cell { get; }

    /// <summary>Gets the word of the current entry as it was visited.</summary>
    public ulong Word { get; }

    /// <summary>Moves to the next match in the bucket; there must be one.</summary>
    // SAFETY: a bit of the matches is below the entries of a bucket.
    public unsafe IndexCursor ToNextMatch()
    {
        Debug.Assert(Matches != 0, "Without a match the cell would be outside the bucket.");
        return new(Bucket, Matches & (Matches - 1), Links, new IndexCell(Bucket + BitOperations.TrailingZeroCount(Matches)));
    }
}
