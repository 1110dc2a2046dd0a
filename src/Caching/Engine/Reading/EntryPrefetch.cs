namespace BufferedMessages.Caching;

/// <summary>Determines which entries are in memory, and begins to read the others before they are asked for.</summary>
internal sealed class EntryPrefetch(CacheStore store)
{
    /// <summary>The bytes of a record that are prefetched at least: enough for a small entry.</summary>
    public const int LeastPrefetched = 192;

    private readonly SegmentMap _segments = store.Segments;
    private readonly HotCopies? _hot = store.Hot;

    /// <summary>Determines whether a read of the entry of a key's hash, if there is one, would not wait for a disk, as far as this process knows.</summary>
    public bool IsWarm(ulong hash)
    {
        var table = store.Index.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            if (!IsWarm(table, hash, IndexWord.Location(cursor.Word)))
            {
                return false;
            }
        }

        GC.KeepAlive(table);
        return true;
    }

    /// <summary>Begins to read the entries of some hashes: from memory into the processor's cache, and from the disk into memory.</summary>
    /// <param name="hashes">The hashes.</param>
    /// <param name="isReadNext">Whether the entries are read at once. While the files are in the system's file cache, reading them ahead would then cost more than it saves.</param>
    public void Prefetch(ReadOnlySpan<ulong> hashes, bool isReadNext)
    {
        var readsAhead = !isReadNext || store.Finder.Waits.AreLikely;

        // The processor waits for all buckets at the same time, not for one after the other.
        var table = store.Index.Table;
        foreach (var hash in hashes)
        {
            table.Prefetch(hash);
            _hot?.Prefetch(hash);
        }

        var bytes = 0;
        foreach (var hash in hashes)
        {
            var cursor = table.CursorOf(hash);
            while (table.TryNext(ref cursor, hash))
            {
                var location = IndexWord.Location(cursor.Word);
                bytes = bytes > 0 ? bytes : AverageBytesNear(location);
                Prefetch(table, hash, location, bytes, readsAhead);
            }
        }

        GC.KeepAlive(table);
    }

    private bool IsWarm(IndexTable table, ulong hash, long location)
    {
        var slot = _segments.SlotOf(location);
        return slot < _segments.Slots && (_segments.Memory.IsWarm(slot, _segments.OffsetOf(location)) || (_hot is not null && _hot.TryFind(hash, location, out _)) || IsStaged(table, slot, location));
    }

    // The process that writes looks at words of its own. In another one, a lease keeps the file of the staged chunks mapped.
    private bool IsStaged(IndexTable table, int slot, long location)
    {
        if (!store.IsReadOnly)
        {
            return _segments.Staged.Contains(location);
        }

        var ticket = store.Leases.Table.Take(slot);
        try
        {
            return store.Index.IsCurrent(table) && _segments.Staged.Contains(location);
        }
        finally
        {
            store.Leases.Undo(ticket);
        }
    }

    // The length of a record is known once it is loaded, which is too late. All records of a call are taken to be as long as the average one in the segment of the first.
    private int AverageBytesNear(long location)
    {
        var slot = _segments.SlotOf(location);
        return slot < _segments.Slots ? (int)Math.Clamp(SlotState.AverageBytesOf(store.Control.ReadCounts(slot)), LeastPrefetched, CacheRecord.MostPrefetched) : LeastPrefetched;
    }

    private void Prefetch(IndexTable table, ulong hash, long location, int bytes, bool readsAhead)
    {
        var slot = _segments.SlotOf(location);
        var offset = _segments.OffsetOf(location);
        if (_segments.Memory.TryFind(slot, out var segment) && _segments.Memory.IsWarm(slot, offset))
        {
            segment.Prefetch(offset, bytes);
        }
        else if (_hot is not null && _hot.TryFind(hash, location, out var copy))
        {
            _hot.Prefetch(copy, bytes);
        }
        else if (readsAhead && slot < _segments.Slots)
        {
            // The lease keeps the mapping. If another record is read ahead by now, that does no harm.
            var ticket = store.Leases.Table.Take(slot);
            try
            {
                if (store.Index.IsCurrent(table) && _segments.TryFollow(slot))
                {
                    _segments.ReadAhead(slot, offset, Math.Min(SegmentMap.HeadBytes, _segments.SegmentBytes - offset));
                }
            }
            finally
            {
                store.Leases.Undo(ticket);
            }
        }
    }
}
