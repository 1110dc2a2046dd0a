using System.Numerics;

namespace BufferedMessages.Caching;

/// <summary>A place in a chain of buckets.</summary>
internal readonly unsafe struct IndexCursor
{
    /// <param name="bucket">The bucket.</param>
    /// <param name="matches">A bit for each of its entries that is to be looked at.</param>
    public IndexCursor(ulong* bucket, uint matches)
    {
        Bucket = bucket;
        Matches = matches;
    }

    private IndexCursor(ulong* bucket, uint matches, ulong* cell)
    {
        Bucket = bucket;
        Matches = matches;
        Cell = cell;
        Word = Volatile.Read(ref *cell);
    }

    /// <summary>The bucket.</summary>
    public ulong* Bucket { get; }

    /// <summary>The entries of the bucket that were not looked at yet.</summary>
    public uint Matches { get; }

    /// <summary>The entry.</summary>
    public ulong* Cell { get; }

    /// <summary>What the entry held.</summary>
    public ulong Word { get; }

    /// <summary>Goes to the next entry of the bucket; there is one.</summary>
    public IndexCursor ToNextMatch() => new(Bucket, Matches & (Matches - 1), Bucket + BitOperations.TrailingZeroCount(Matches));
}
