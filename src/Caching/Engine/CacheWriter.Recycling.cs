using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <content>Empties a segment: entries that were read since they were written are carried over, the others leave the index.</content>
internal sealed unsafe partial class CacheWriter
{
    /// <summary>Removes every entry that leads to a segment. Reads the segment, and holds no lock meanwhile.</summary>
    /// <param name="slot">A segment to which nobody writes.</param>
    /// <param name="others">Whether records of removals in it may still matter: there is a segment with older records.</param>
    public void Empty(int slot, Func<ulong, bool> others)
    {
        var segment = _store.Segment(slot);
        if (Volatile.Read(ref _control.Slot(slot).Entries) != 0 && LinuxKernel.IsSupported)
        {
            LinuxKernel.WillNeed(segment, (nuint)_control.SegmentBytes);
        }

        // At most half a segment is carried, so recycling always gains room.
        var room = _control.SegmentBytes / 2;
        var walk = new SegmentWalk(_store, slot);
        while (walk.MoveNext())
        {
            var location = _store.LocationOf(slot, walk.Position);
            if (walk.Record.IsRemoval)
            {
                KeepRemoval(walk.Record, others);
            }
            else
            {
                Empty(walk.Record, location, ref room);
            }
        }

        // A damaged record hid others, or its own entry.
        if (Volatile.Read(ref _control.Slot(slot).Entries) != 0)
        {
            Sweep(slot);
        }
    }

    private void Empty(CacheRecord record, long location, ref long room)
    {
        var hash = XxHash64.Hash(record.Key);
        if (!TryFind(hash, location, out var word))
        {
            return;
        }

        var isExpired = _store.IsExpired(record, out _);
        if (!isExpired && (word & IndexWord.Referenced) != 0 && record.Bytes <= room && TryCarry(record, location, hash))
        {
            room -= record.Bytes;
            return;
        }

        if (TryEvict(hash, location) && !isExpired)
        {
            _store.Counters.CountEvicted();
        }
    }

    private bool TryCarry(CacheRecord record, long location, ulong hash)
    {
        _store.Memory.Use(_store.SlotOf(location), record.Start, record.Bytes);
        if (!record.IsWhole(location))
        {
            _store.Counters.CountCorrupt();
            return false;
        }

        if (!_pool.TryReserveCarry(record.Bytes, record.Word & CacheRecord.SlidingFlag, out var copy))
        {
            return false;
        }

        var isCarried = false;
        try
        {
            var expiry = record.CopyTo(copy.Start);
            var summary = CacheRecord.Summarize(copy.Start, copy.Location, copy.Word);
            lock (LockOf(hash))
            {
                if (TryFindCell(hash, location, out var cell))
                {
                    Commit(in copy, summary);
                    Interlocked.Increment(ref _control.Slot(copy.Slot).Entries);
                    Interlocked.Increment(ref _entries);
                    Replace(cell, IndexWord.Compose(hash, copy.Location, _bornFlags));
                    isCarried = true;
                }
            }

            if (isCarried)
            {
                CarryExpiry(record, copy.Start, expiry);
                _store.Counters.CountCarried();
            }

            // What left the index meanwhile need not be evicted either.
            return true;
        }
        finally
        {
            Finish(in copy, isCarried);
        }
    }

    // It may have been prolonged after it was copied and before readers were led to the copy. Who prolonged the copy has the later time.
    private static void CarryExpiry(CacheRecord record, byte* copy, ulong copied)
    {
        var now = Volatile.Read(ref record.Expiry);
        if (now != copied)
        {
            Interlocked.CompareExchange(ref CacheRecord.ExpiryOf(copy), now, copied);
        }
    }

    private bool TryEvict(ulong hash, long location)
    {
        lock (LockOf(hash))
        {
            if (!TryFindCell(hash, location, out var cell))
            {
                return false;
            }

            Replace(cell, IndexWord.Empty);
            return true;
        }
    }

    private bool TryFind(ulong hash, long location, out ulong word)
    {
        var table = _store.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            word = cursor.Word;
            if (IndexWord.Location(word) == location)
            {
                return true;
            }
        }

        GC.KeepAlive(table);
        word = IndexWord.Empty;
        return false;
    }

    private bool TryFindCell(ulong hash, long location, out ulong* cell)
    {
        var table = _store.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            cell = cursor.Cell;
            if (IndexWord.Location(cursor.Word) == location)
            {
                return true;
            }
        }

        cell = null;
        return false;
    }

    // The record of a removal is needed as long as a segment may hold an older record of the key, and none of the index is newer.
    private void KeepRemoval(CacheRecord record, Func<ulong, bool> others)
    {
        if (record.Sequence <= Volatile.Read(ref _control.Header->ClearedSequence)
            || !others(record.Sequence)
            || !_pool.TryReserveCarry(record.Bytes, CacheRecord.RemovalFlag, out var copy))
        {
            return;
        }

        var isKept = false;
        try
        {
            var key = record.Key;
            var hash = XxHash64.Hash(key);
            record.CopyTo(copy.Start);
            var summary = CacheRecord.Summarize(copy.Start, copy.Location, copy.Word);
            lock (LockOf(hash))
            {
                if (FindCell(key, hash, IndexWord.Empty) is null)
                {
                    Commit(in copy, summary);
                    isKept = true;
                }
            }
        }
        finally
        {
            Finish(in copy, isKept);
        }
    }

    private void Sweep(int slot)
    {
        var table = _store.Table;
        for (var number = 0L; number < table.Buckets; number++)
        {
            for (var bucket = table.BucketAt(number); bucket is not null; bucket = table.Linked(bucket))
            {
                for (var i = 0; i < IndexTable.Entries; i++)
                {
                    var word = Volatile.Read(ref bucket[i]);
                    if (word != IndexWord.Empty && _store.SlotOf(IndexWord.Location(word)) == slot && TryEvict(IndexWord.HashOf(word, number), IndexWord.Location(word)))
                    {
                        _store.Counters.CountEvicted();
                    }
                }
            }
        }

        // A larger table was made meanwhile: it has what this one had.
        if (!ReferenceEquals(table, _store.Table))
        {
            Sweep(slot);
        }
    }
}
