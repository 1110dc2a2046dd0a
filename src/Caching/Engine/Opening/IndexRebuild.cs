using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// Rebuilds the index from the segments, after a crash of the machine or when the index is damaged. Each record is checked. Of the records of a key the
/// one with the largest sequence number wins.
/// </summary>
internal sealed class IndexRebuild
{
    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly IndexTable _table;

    // It is no longer known which records were cleared, so all of them count as cleared.
    private readonly bool _isCleared;
    private ulong _lastSequence;

    // The largest number of the clock of tags that an entry has.
    private ulong _lastBorn;

    private IndexRebuild(CacheStore store, IndexTable table)
    {
        _store = store;
        _control = store.Control;
        _table = table;
        _isCleared = !_control.HasPossibleClear;
        _lastSequence = _isCleared ? 0 : _control.Header.Sequence;
    }

    public static void Run(CacheStore store, long expectedEntries)
    {
        var control = store.Control;
        var open = Enumerable.Range(0, control.SlotCount).Where(slot => store.Segments.IsMapped(slot) && SegmentCheck.TakeHeader(store, slot)).ToList();
        var buckets = IndexTable.BucketsFor(Math.Max(expectedEntries, open.Sum(slot => CountRecords(store.Segments, slot))));

        // A process that only reads may have the last index mapped, and would take one of the same number for it. The number in the control file may be damaged.
        var noted = control.Header.IndexGeneration is > 0 and <= ControlHeader.MaxGeneration ? control.Header.IndexGeneration : 0;
        var generation = Math.Max(noted, CacheFiles.LastIndex(control.Directory)) + 1;
        while (true)
        {
            var rebuild = new IndexRebuild(store, IndexTable.Create(control.Directory, generation, buckets, control.Permissions));
            if (rebuild.TryFill(open))
            {
                rebuild.Finish(generation);
                return;
            }

            CacheFiles.TryDelete(CacheFiles.Index(control.Directory, generation++));
            buckets *= 2;
        }
    }

    private static long CountRecords(SegmentMap segments, int slot)
    {
        var count = 0L;
        for (var walk = new SegmentWalk(segments, slot); walk.MoveNext();)
        {
            count++;
        }

        return count;
    }

    private bool TryFill(List<int> open)
    {
        for (var slot = 0; slot < _control.SlotCount; slot++)
        {
            if (_control.Slot(slot).State != SlotState.Absent)
            {
                _control.SetCounts(slot, 0);
            }
        }

        return open.TrueForAll(TryFill);
    }

    private bool TryFill(int slot)
    {
        var openSequence = _control.Slot(slot).OpenSequence;

        // The system may have written the segment's header before a crash of the machine, and no record. Later ones must be above it.
        _lastSequence = Math.Max(_lastSequence, openSequence);
        for (var walk = new SegmentWalk(_store.Segments, slot); walk.MoveNext();)
        {
            var location = _store.Segments.LocationOf(slot, walk.Position);
            _store.Segments.Memory.Use(slot, walk.Position, walk.Record.Bytes);
            if (!walk.Record.IsWhole(location) || walk.Record.Sequence <= openSequence)
            {
                _store.Counters.CountCorrupt();
            }
            else if (_store.Segments.IsDead(slot, walk.Position))
            {
                _lastSequence = Math.Max(_lastSequence, walk.Record.Sequence);
            }
            else if (!TryTake(walk.Record, location))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryTake(CacheRecord record, long location)
    {
        _lastSequence = Math.Max(_lastSequence, record.Sequence);
        if (_isCleared || record.Sequence <= _control.Header.ClearedSequence)
        {
            _store.Segments.MarkDead(location);
            return true;
        }

        if (record.TryReadTags(out var tags))
        {
            _lastBorn = Math.Max(_lastBorn, TagBlock.Born(tags));
        }

        var hash = XxHash64.Hash(record.Key);
        if (!TryFind(hash, out var cell, out var known))
        {
            cell = _table.FindEmpty(hash);
        }
        else if (known.Sequence > record.Sequence)
        {
            _store.Segments.MarkDead(location);
            return true;
        }

        if (!cell.Exists)
        {
            return false;
        }

        Replace(cell, IndexWord.Compose(hash, location, flags: 0));
        _control.AddCounts(_store.Segments.SlotOf(location), WriteLanes.None, SlotState.CountOf(record.Bytes));
        return true;
    }

    // Finds the entry of a key with the hash, and the record to which it leads.
    private bool TryFind(ulong hash, out IndexCell cell, out CacheRecord known)
    {
        var cursor = _table.CursorOf(hash);
        while (_table.TryNext(ref cursor, hash))
        {
            var location = IndexWord.Location(cursor.Word);
            if (_store.Segments.TryRead(_store.Segments.SlotOf(location), _store.Segments.OffsetOf(location), out known) && XxHash64.Hash(known.Key) == hash)
            {
                cell = cursor.Cell;
                return true;
            }
        }

        cell = default;
        known = default;
        return false;
    }

    private void Finish(long generation)
    {
        if (_isCleared)
        {
            _control.Header.ClearedSequence = 0;
        }

        _store.Tags.Resume(_lastBorn);
        Volatile.Write(ref _control.Header.Sequence, _lastSequence);
        Volatile.Write(ref _control.Header.IndexGeneration, generation);
        _store.Index.Publish(_table);
    }

    // The record that an entry leaves is dead.
    private void Replace(IndexCell cell, ulong word)
    {
        var old = cell.Exchange(word);
        var location = IndexWord.Location(old);
        if (old != IndexWord.Empty && _store.Segments.TryRead(_store.Segments.SlotOf(location), _store.Segments.OffsetOf(location), out var record))
        {
            _store.Segments.MarkDead(location);
            _control.AddCounts(_store.Segments.SlotOf(location), WriteLanes.None, -SlotState.CountOf(record.Bytes));
        }
    }
}
