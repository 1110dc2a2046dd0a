using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>Empties a segment before it is recycled: entries that were read since they were written are carried over, the others leave the index.</summary>
internal sealed class SegmentEmptier(CacheStore store, IndexWriter index, SegmentPool pool)
{
    private readonly SegmentMap _segments = store.Segments;
    private readonly CacheControl _control = store.Control;

    /// <summary>Removes every entry that leads to a segment. Reads the segment without a lock.</summary>
    /// <param name="slot">A segment to which no thread writes.</param>
    /// <param name="hasOlder">Says whether a segment has records from before a sequence number, so that the record of a removal must be kept.</param>
    public void Empty(int slot, Func<ulong, bool> hasOlder)
    {
        if (Volatile.Read(ref _control.Slot(slot).Entries) != 0)
        {
            _segments.ReadAhead(slot, 0, _segments.SegmentBytes);
        }

        // At most half a segment is carried, so recycling always gains room.
        var room = _segments.SegmentBytes / 2;
        for (var walk = new SegmentWalk(_segments, slot); walk.MoveNext();)
        {
            if (walk.Record.IsRemoval)
            {
                KeepRemoval(walk.Record, hasOlder);
            }
            else
            {
                Empty(walk.Record, slot, walk.Position, ref room);
            }
        }

        // A damaged record has hidden the records after it, or its own entry.
        if (Volatile.Read(ref _control.Slot(slot).Entries) != 0)
        {
            Sweep(slot);
        }
    }

    private void Empty(CacheRecord record, int slot, long position, ref long room)
    {
        var hash = XxHash64.Hash(record.Key);
        var location = _segments.LocationOf(slot, position);
        if (!index.FindCell(hash, location, out var word).Exists)
        {
            return;
        }

        var isExpired = record.IsExpired(store.Clock, out _);
        if (!isExpired && (word & IndexWord.Referenced) != 0 && record.Bytes <= room)
        {
            _segments.Memory.Use(slot, position, record.Bytes);
            if (TryCarry(record, location, hash))
            {
                room -= record.Bytes;
                return;
            }
        }

        if (index.TryRemove(hash, location) && !isExpired)
        {
            store.Counters.CountEvicted();
        }
    }

    private bool TryCarry(CacheRecord record, long location, ulong hash)
    {
        if (!record.IsWhole(location))
        {
            store.Counters.CountCorrupt();
            return false;
        }

        if (!pool.TryReserveCarry(record.Bytes, record.Word & CacheRecord.SlidingFlag, out var copy))
        {
            return false;
        }

        var isCarried = false;
        try
        {
            var expiry = copy.CopyFrom(record);
            isCarried = index.TryMove(hash, location, in copy, copy.Summarize(), record, expiry);
            if (isCarried)
            {
                store.Counters.CountCarried();
            }

            // An entry that has left the index by now need not be evicted either.
            return true;
        }
        finally
        {
            pool.Finish(in copy, isCarried);
        }
    }

    // The record of a removal is needed while a segment may hold an older record of the key, and the index has no newer one.
    private void KeepRemoval(CacheRecord record, Func<ulong, bool> hasOlder)
    {
        if (record.Sequence <= Volatile.Read(ref _control.Header.ClearedSequence)
            || !hasOlder(record.Sequence)
            || !pool.TryReserveCarry(record.Bytes, CacheRecord.RemovalFlag, out var copy))
        {
            return;
        }

        var isKept = false;
        try
        {
            copy.CopyFrom(record);
            isKept = index.TryKeepRemoval(record.Key, XxHash64.Hash(record.Key), in copy, copy.Summarize());
        }
        finally
        {
            pool.Finish(in copy, isKept);
        }
    }

    private void Sweep(int slot)
    {
        var table = store.Index.Table;
        for (var walk = new IndexWalk(table); walk.MoveNext();)
        {
            var location = IndexWord.Location(walk.Word);
            if (_segments.SlotOf(location) == slot && index.TryRemove(walk.Hash, location))
            {
                store.Counters.CountEvicted();
            }
        }

        // A larger table was published during the walk, with the entries of this one.
        if (!store.Index.IsCurrent(table))
        {
            Sweep(slot);
        }
    }
}
