namespace BufferedMessages.Caching;

/// <summary>A place in a chain of buckets.</summary>
internal readonly unsafe struct IndexCursor
{
    public IndexCursor(ulong* bucket)
    {
        Bucket = bucket;
        Next = bucket;
    }

    public IndexCursor(ulong* bucket, ulong* cell, ulong word)
    {
        Bucket = bucket;
        Cell = cell;
        Word = word;
        Next = cell + 1;
    }

    /// <summary>The bucket.</summary>
    public ulong* Bucket { get; }

    /// <summary>The entry.</summary>
    public ulong* Cell { get; }

    /// <summary>What the entry held.</summary>
    public ulong Word { get; }

    /// <summary>Where to look next.</summary>
    public ulong* Next { get; }
}
