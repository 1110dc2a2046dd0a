using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// Makes the index anew from the segments, after a crash of the machine or when the index is damaged. Each record is checked; of the records of a key the
/// one with the largest sequence number counts, also when it says that the key was removed.
/// </summary>
internal sealed unsafe class IndexRebuild
{
    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly IndexTable _table;
    private readonly List<(ulong Hash, long Location)> _removals = [];
    private ulong _lastSequence;

    private IndexRebuild(CacheStore store, IndexTable table)
    {
        _store = store;
        _control = store.Control;
        _table = table;
        _lastSequence = _control.Header->Sequence;
    }

    public static void Run(CacheStore store, long expectedEntries)
    {
        var control = store.Control;
        var open = Enumerable.Range(0, control.SlotCount).Where(slot => AdoptSegment(store, slot)).ToList();
        var buckets = IndexTable.BucketsFor(Math.Max(expectedEntries, open.Sum(slot => CountRecords(store, slot))));
        var generation = Math.Max(control.Header->IndexGeneration, 0) + 1;
        while (true)
        {
            var rebuild = new IndexRebuild(store, IndexTable.Create(control.Directory, generation, buckets));
            if (rebuild.TryFill(open))
            {
                rebuild.Finish(generation);
                return;
            }

            CacheFiles.TryDelete(CacheFiles.Index(control.Directory, generation++));
            buckets *= 2;
        }
    }

    // The segment's own header says whether it holds anything.
    private static bool AdoptSegment(CacheStore store, int slot)
    {
        if (store.Segment(slot) is null)
        {
            return false;
        }

        var header = store.HeaderOf(slot);
        ref var state = ref store.Control.Slot(slot);
        var isOpen = header->IsOpen(slot);
        state.State = isOpen ? SlotState.Open : SlotState.Free;
        state.OpenSequence = isOpen ? header->OpenSequence : 0;
        state.Entries = 0;
        return isOpen;
    }

    private static long CountRecords(CacheStore store, int slot)
    {
        var count = 0L;
        for (var walk = new SegmentWalk(store, slot); walk.MoveNext();)
        {
            count++;
        }

        return count;
    }

    private bool TryFill(List<int> slots)
    {
        foreach (var slot in slots)
        {
            _control.Slot(slot).Entries = 0;
        }

        foreach (var slot in slots)
        {
            var openSequence = _control.Slot(slot).OpenSequence;
            for (var walk = new SegmentWalk(_store, slot); walk.MoveNext();)
            {
                var location = _store.LocationOf(slot, walk.Position);
                var record = walk.Record;
                _store.Memory.Use(slot, record.Start, record.Bytes);
                if (!record.IsWhole(location) || record.Sequence <= openSequence)
                {
                    _store.Counters.CountCorrupt();
                }
                else if (!TryTake(record, location))
                {
                    return false;
                }
            }
        }

        return true;
    }

    private bool TryTake(CacheRecord record, long location)
    {
        _lastSequence = Math.Max(_lastSequence, record.Sequence);
        if (record.Sequence <= _control.Header->ClearedSequence)
        {
            return true;
        }

        var hash = XxHash64.Hash(record.Key);
        var cursor = _table.CursorOf(hash);
        ulong* cell = null;
        while (_table.TryNext(ref cursor, hash))
        {
            var known = RecordAt(IndexWord.Location(cursor.Word));
            if (known.Key.SequenceEqual(record.Key))
            {
                if (known.Sequence > record.Sequence)
                {
                    return true;
                }

                cell = cursor.Cell;
                break;
            }
        }

        if (cell is null && (cell = _table.FindEmpty(hash)) is null)
        {
            return false;
        }

        Replace(cell, IndexWord.Compose(hash, location, flags: 0));
        if (record.IsRemoval)
        {
            _removals.Add((hash, location));
        }

        return true;
    }

    private void Finish(long generation)
    {
        foreach (var (hash, location) in _removals)
        {
            var cursor = _table.CursorOf(hash);
            while (_table.TryNext(ref cursor, hash))
            {
                if (IndexWord.Location(cursor.Word) == location)
                {
                    Replace(cursor.Cell, IndexWord.Empty);
                }
            }
        }

        Volatile.Write(ref _control.Header->Sequence, _lastSequence);
        Volatile.Write(ref _control.Header->IndexGeneration, generation);
        _store.Table = _table;
    }

    private CacheRecord RecordAt(long location)
    {
        var slot = _store.SlotOf(location);
        var offset = _store.OffsetOf(location);
        CacheRecord.TryRead(_store.Segment(slot) + offset, _control.SegmentBytes - offset, out var record);
        return record;
    }

    private void Replace(ulong* cell, ulong word)
    {
        if (*cell != IndexWord.Empty)
        {
            _control.Slot(_store.SlotOf(IndexWord.Location(*cell))).Entries--;
        }

        if (word != IndexWord.Empty)
        {
            _control.Slot(_store.SlotOf(IndexWord.Location(word))).Entries++;
        }

        *cell = word;
    }
}
