namespace BufferedMessages.Caching;

/// <summary>A walk over all entries of an <see cref="IndexTable"/>. It visits every entry that stays in the table during the walk.</summary>
internal struct IndexWalk(IndexTable table)
{
    // SAFETY: the first bucket of a table that this walk keeps alive.
    private unsafe ulong* _bucket = table.BucketAt(0);
    private int _next;

    // Each overflow bucket is linked once, unless the links are damaged and form a circle.
    private long _links;

    /// <summary>Gets the number of the current chain of buckets.</summary>
    public long Chain { get; private set; }

    /// <summary>Gets the cell of the current entry.</summary>
    public IndexCell Cell { get; private set; }

    /// <summary>Gets the word of the current entry as it was visited.</summary>
    public ulong Word { get; private set; }

    /// <summary>Gets the lowest 36 bits of the current entry's hash.</summary>
    public readonly ulong Hash => IndexWord.HashOf(Word, Chain);

    // SAFETY: the table gives only buckets inside its file; the index stays below the entries of a bucket.
    public unsafe bool MoveNext()
    {
        while (Chain < table.Buckets)
        {
            while (_next < IndexTable.Entries)
            {
                Cell = new IndexCell(_bucket + _next++);
                Word = Cell.Word;
                if (Word != IndexWord.Empty)
                {
                    return true;
                }
            }

            _next = 0;
            _bucket = _links++ < table.OverflowBuckets + table.Buckets ? table.Linked(_bucket) : null;
            if (_bucket is null && ++Chain < table.Buckets)
            {
                _bucket = table.BucketAt(Chain);
            }
        }

        GC.KeepAlive(table);
        return false;
    }
}
