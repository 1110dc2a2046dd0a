using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>Empties segments before they are recycled: entries that are kept are carried over to another segment, the others leave the index.</summary>
internal sealed class SegmentEmptier(CacheStore store, SegmentBook book, IndexWriter index, SegmentPool pool)
{
    private readonly SegmentMap _segments = store.Segments;
    private readonly LiveRecords _records = new(store, index);

    /// <summary>Carries all entries of a segment over.</summary>
    /// <param name="slot">A segment to which no thread writes.</param>
    /// <returns>False when sets have taken the room for carried entries. Then the other entries stay in the segment.</returns>
    public bool TryClean(int slot) => TryEmpty(slot, kept: null);

    /// <summary>Empties segments, and evicts entries: as many bytes are carried over as there is room for.</summary>
    /// <param name="slots">Segments to which no thread writes.</param>
    /// <param name="room">The bytes to carry over at most.</param>
    public void Evict(IReadOnlyList<int> slots, long room)
    {
        var kept = new KeptEntries(store.Choice.PrefersRecent);
        foreach (var slot in slots)
        {
            Weigh(slot, kept);
        }

        kept.Choose(room);
        foreach (var slot in slots)
        {
            TryEmpty(slot, kept);
        }
    }

    /// <summary>Gets the part of the entries of a segment that were read since they were written or carried, from 0 to 1, estimated from a sample.</summary>
    /// <param name="slot">A segment to which no thread writes.</param>
    public double PartRead(int slot)
    {
        var (entries, read) = (0, 0);
        for (_records.BeginSample(slot); _records.TryNext(out var found);)
        {
            if (index.TryFind(found.Hash, found.Location, out var word, out _))
            {
                entries++;
                read += (word & IndexWord.Referenced) != 0 ? 1 : 0;
            }
        }

        return entries == 0 ? 0 : (double)read / entries;
    }

    /// <summary>Removes the expired entries of a segment, and notes when the next ones expire.</summary>
    /// <param name="slot">A segment to which no thread writes.</param>
    /// <param name="worthwhile">The next look is at the time when this many bytes will have expired.</param>
    public void DropExpired(int slot, long worthwhile)
    {
        var known = book.Expiry(slot);
        var expiries = new List<(long Time, long Bytes)>();
        for (_records.Begin(slot); _records.TryNext(out var found);)
        {
            var record = found.Record;
            if (!ExpiryWord.TryRead(Volatile.Read(ref record.Expiry), out _)
                || record.ReadTimes().End is not (var end and not ExpiryTimes.Never)
                || !index.TryFind(found.Hash, found.Location, out _, out _))
            {
                continue;
            }

            if (store.IsOver(in found))
            {
                index.TryRemove(found.Hash, found.Location, record.Bytes);
            }
            else
            {
                expiries.Add((end, record.Bytes));
            }
        }

        expiries.Sort();
        var next = SegmentBook.NeverExpires;
        var sum = 0L;
        foreach (var (time, bytes) in expiries)
        {
            sum += bytes;
            if (sum >= worthwhile)
            {
                next = time;
                break;
            }
        }

        book.ReplaceExpiry(slot, known, next);
    }

    private void Weigh(int slot, KeptEntries kept)
    {
        for (_records.Begin(slot); _records.TryNext(out var found);)
        {
            if (index.TryFind(found.Hash, found.Location, out var word, out var reads) && !store.IsOver(in found))
            {
                kept.Weigh(word, reads, book.IsCarried(slot), found.Record.Bytes);
            }
        }
    }

    // Without a choice of entries all are carried over, and none is evicted for lack of room.
    private bool TryEmpty(int slot, KeptEntries? kept)
    {
        if (book.HasCounts(slot))
        {
            for (_records.Begin(slot); _records.TryNext(out var found);)
            {
                if (!TryEmpty(slot, in found, kept))
                {
                    return false;
                }
            }
        }

        // An entry that is leaving the segment now is no longer counted, and its record may not be marked yet.
        index.AwaitChanges();

        // A damaged record has hidden the records after it, or its own entry.
        if (book.HasCounts(slot))
        {
            Sweep(slot);
            index.ClearCounts(slot);
        }

        // Its records no longer count, even if leases hold the segment for long and the index is lost before they end.
        _segments.Header(slot).Close();
        return true;
    }

    private bool TryEmpty(int slot, in LiveRecord found, KeptEntries? kept)
    {
        var (record, location, hash) = (found.Record, found.Location, found.Hash);
        if (!index.TryFind(hash, location, out var word, out var reads))
        {
            return true;
        }

        var isOver = store.IsOver(in found);
        if (!isOver && (kept is null || kept.TryKeep(word, reads, book.IsCarried(slot), record.Bytes)) && IsWhole(in found, word))
        {
            if (found.ExpiryChanges is null)
            {
                _segments.Memory.Use(slot, _segments.OffsetOf(location), record.Bytes);
            }

            if (TryCarry(in found))
            {
                return true;
            }

            if (kept is null)
            {
                return false;
            }
        }

        if (index.TryRemove(hash, location, record.Bytes) && !isOver)
        {
            store.Choice.Remember(hash, reads);
            store.Counters.CountEvicted();
        }

        return true;
    }

    private bool IsWhole(in LiveRecord found, ulong word)
    {
        if ((word & IndexWord.Checked) != 0 || found.Record.IsWhole(found.Location))
        {
            return true;
        }

        store.Counters.CountCorrupt();
        return false;
    }

    private bool TryCarry(in LiveRecord found)
    {
        var record = found.Record;
        if (!pool.TryReserveCarry(record.Bytes, record.Word & CacheRecord.Flags, out var copy))
        {
            return false;
        }

        var isCarried = false;
        try
        {
            var expiry = copy.CopyFrom(record);
            if (record.HasTags)
            {
                _segments.Header(copy.Slot).RequireTags();
            }

            NoteExpiry(copy.Slot, record);
            isCarried = index.TryMove(in found, in copy, record.ReadSummary(found.Location), expiry);
            if (isCarried)
            {
                // A touch since the record was copied has noted its time for the old segment only.
                NoteExpiry(copy.Slot, store.Current(in found));
                store.Counters.CountCarried(record.Bytes);
            }

            // An entry that has left the index by now need not be evicted either.
            return true;
        }
        finally
        {
            pool.Finish(in copy, isCarried);
        }
    }

    private void NoteExpiry(int slot, CacheRecord record)
    {
        if (ExpiryWord.TryRead(Volatile.Read(ref record.Expiry), out _) && record.ReadTimes().End is var end and not ExpiryTimes.Never)
        {
            book.NoteExpiry(slot, end);
        }
    }

    private void Sweep(int slot)
    {
        var table = store.Index.Table;
        for (var walk = new IndexWalk(table); walk.MoveNext();)
        {
            var location = IndexWord.Location(walk.Word);
            if (_segments.SlotOf(location) == slot && index.TryRemove(walk.Hash, location, recordBytes: 0))
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
