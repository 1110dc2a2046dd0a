using System.Diagnostics;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The changes of the index, each under the lock of its hash. Safe for all threads.</summary>
/// <remarks>
/// The sequence number of a record is given under the same lock as its entry: sequence numbers increase per key in update order, and index rebuild relies on this.
/// </remarks>
internal sealed class IndexWriter
{
    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly SegmentBook _book;
    private readonly WriteLanes _lanes;
    private readonly KeyLocks _locks = new();
    private readonly IndexGrowth _growth;
    private readonly ulong _bornFlags;
    private long _entries;

    /// <param name="store">The cache.</param>
    /// <param name="book">Counts the entries of each segment.</param>
    /// <param name="lanes">Give the sequence numbers.</param>
    /// <param name="verifiesFirst">Whether the first read of an entry that this process has written compares its checksum.</param>
    public IndexWriter(CacheStore store, SegmentBook book, WriteLanes lanes, bool verifiesFirst)
    {
        _store = store;
        _control = store.Control;
        _book = book;
        _lanes = lanes;
        _growth = new IndexGrowth(_control, store.Index, _locks);
        _bornFlags = verifiesFirst ? 0 : IndexWord.Checked;
        _entries = _control.Entries;
    }

    /// <summary>Makes a record the entry of its key.</summary>
    /// <param name="reservation">The record.</param>
    /// <param name="summary">Its checksum, without the sequence number.</param>
    /// <param name="key">The key.</param>
    /// <param name="known">An entry that is known to be of this key, or none.</param>
    /// <exception cref="DiskFullException">The index is full, and there is no room for a larger one. Nothing was changed.</exception>
    public void Publish(in Reservation reservation, uint summary, ReadOnlySpan<byte> key, KnownEntry known)
    {
        while (!TryPublish(in reservation, summary, key, known))
        {
            _growth.Grow(isNeeded: true);
        }
    }

    /// <summary>Replaces the index by a larger one when it is nearly full.</summary>
    public void GrowIfFull()
    {
        if (Volatile.Read(ref _entries) > _store.Index.Table.Comfortable)
        {
            _growth.Grow(isNeeded: false);
        }
    }

    /// <summary>Moves the entry at a location to a copy of its record.</summary>
    /// <returns>False when the entry has left the location.</returns>
    public bool TryMove(ulong hash, long location, in Reservation copy, uint summary, CacheRecord record, ulong expiry)
    {
        _locks.Enter(hash);
        try
        {
            var cell = FindCell(hash, location, out _);
            if (cell.Exists)
            {
                // Before and after: a touch may come at any time, and readers of the copy see only a carried expiry.
                expiry = copy.CarryExpiry(record, expiry);
                Commit(in copy, summary, record.Sequence);
                Replace(cell, IndexWord.Compose(hash, copy.Location, _bornFlags), copy.Slot, RecordWord.Bytes(copy.Word), record.Word);
                Interlocked.MemoryBarrier();
                copy.CarryExpiry(record, expiry);
            }

            return cell.Exists;
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    /// <summary>Removes the entry of a key.</summary>
    public bool TryRemove(ReadOnlySpan<byte> key, ulong hash, KnownEntry known)
    {
        _locks.Enter(hash);
        try
        {
            var cell = FindCell(key, hash, ref known);
            if (cell.Exists)
            {
                Remove(cell, known.RecordWord);
            }

            return cell.Exists;
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    /// <summary>Removes the entry at a location.</summary>
    /// <param name="hash">The hash of its key.</param>
    /// <param name="location">The location.</param>
    /// <param name="recordWord">The state word of the record; <see cref="RecordWord.Free"/> when it is damaged.</param>
    public bool TryRemove(ulong hash, long location, ulong recordWord)
    {
        _locks.Enter(hash);
        try
        {
            var cell = FindCell(hash, location, out _);
            if (cell.Exists)
            {
                Remove(cell, recordWord);
            }

            return cell.Exists;
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    /// <summary>Clears the counts of a segment to which no entry leads. Damaged records have left some.</summary>
    public void ClearCounts(int slot)
    {
        if (!_book.HasCounts(slot))
        {
            return;
        }

        // A thread that has just taken an entry out of the segment counts it under its lock.
        _locks.EnterAll();
        try
        {
            _book.ClearCounts(slot);
        }
        finally
        {
            _locks.ExitAll();
        }
    }

    /// <summary>Removes exactly the entry that was found expired, removed by a tag, or damaged. An expired one stays while it may be served as a stale value. When its lock is taken, the entry stays until another read finds it.</summary>
    public void TryDrop(in PinnedRecord pinned, bool onlyIfExpired)
    {
        var hash = XxHash64.Hash(pinned.Record.Key);
        if (!_locks.TryEnter(hash))
        {
            return;
        }

        try
        {
            if (_store.Index.IsCurrent(pinned.Table) && pinned.IsCurrent && (!onlyIfExpired || _store.IsOver(_store.Finder.Original(in pinned))))
            {
                Remove(pinned.Cell, pinned.Record.Word);
            }
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    /// <summary>Removes all entries.</summary>
    public void Clear()
    {
        _locks.EnterAll();
        try
        {
            Volatile.Write(ref _control.Header.ClearedSequence, Volatile.Read(ref _control.Header.Sequence));
            _store.Index.Table.Clear();
            for (var slot = 0; slot < _book.SlotCount; slot++)
            {
                _book.ClearCounts(slot);
            }

            Volatile.Write(ref _entries, 0);
        }
        finally
        {
            _locks.ExitAll();
        }
    }

    /// <summary>Finds the entry that leads to a location. Without its lock it may be gone at once.</summary>
    public IndexCell FindCell(ulong hash, long location, out ulong word)
    {
        var table = _store.Index.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            word = cursor.Word;
            if (IndexWord.Location(word) == location)
            {
                return cursor.Cell;
            }
        }

        GC.KeepAlive(table);
        word = IndexWord.Empty;
        return default;
    }

    private bool TryPublish(in Reservation reservation, uint summary, ReadOnlySpan<byte> key, KnownEntry known)
    {
        var hash = reservation.Hash;
        _locks.Enter(hash);
        try
        {
            var cell = FindCell(key, hash, ref known);
            if (cell.Exists)
            {
                // The entry keeps its reads: whether there were any in the word, and their number beside it.
                var read = cell.Word & IndexWord.Referenced;
                Commit(in reservation, summary, above: known.Sequence);
                Replace(cell, IndexWord.Compose(hash, reservation.Location, _bornFlags | read), reservation.Slot, RecordWord.Bytes(reservation.Word), known.RecordWord);
                return true;
            }

            cell = _store.Index.Table.FindEmpty(hash);
            if (cell.Exists)
            {
                Commit(in reservation, summary, above: 0);
                cell.SetReads(_store.Choice.CountNew(hash));
                Interlocked.Increment(ref _entries);
                _book.Add(reservation.Slot, RecordWord.Bytes(reservation.Word));
                cell.Write(IndexWord.Compose(hash, reservation.Location, _bornFlags));
            }

            return cell.Exists;
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    // Finds the entry of a key, and notes the state word of its record.
    private IndexCell FindCell(ReadOnlySpan<byte> key, ulong hash, ref KnownEntry known)
    {
        Debug.Assert(_locks.IsHeld(hash), "The entry may move.");
        var table = _store.Index.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            // Another entry with the tag has a key with the same 36 bits of the hash, or was set just now and is in memory. The lock keeps it where it is.
            if (known.Is(cursor.Word))
            {
                return cursor.Cell;
            }

            if (TryReadOf(IndexWord.Location(cursor.Word), key, out var record))
            {
                known = KnownEntry.Of(cursor.Word, record);
                return cursor.Cell;
            }
        }

        return default;
    }

    private bool TryReadOf(long location, ReadOnlySpan<byte> key, out CacheRecord record)
    {
        var slot = _store.Segments.SlotOf(location);
        record = default;
        return _store.Segments.IsMapped(slot) && _store.Segments.TryRead(slot, _store.Segments.OffsetOf(location), out record) && record.Key.SequenceEqual(key);
    }

    private void Commit(in Reservation reservation, uint summary, ulong above) => reservation.Commit(summary, _lanes.NextSequence(reservation.Lane, above));

    // The order is for a process that is killed in between. The old record is marked before the entry leaves it, so that no unmarked record is without an entry. It is not counted
    // from before it is marked, so that a mark of a record to which the entry still leads is found by the count of its segment.
    private void Replace(IndexCell cell, ulong word, int slot, long recordBytes, ulong oldRecord)
    {
        var old = IndexWord.Location(cell.Word);
        _book.Subtract(_store.Segments.SlotOf(old), RecordWord.Bytes(oldRecord));
        _store.Segments.MarkDead(old);
        cell.Write(word);
        _book.Add(slot, recordBytes);
    }

    // While the lock of the hash is held, no other thread changes the record to which an entry leads; readers set its flags.
    private void Remove(IndexCell cell, ulong oldRecord)
    {
        var old = IndexWord.Location(cell.Word);
        _book.Subtract(_store.Segments.SlotOf(old), RecordWord.Bytes(oldRecord));
        _store.Segments.MarkDead(old);
        cell.Write(IndexWord.Empty);
        Interlocked.Decrement(ref _entries);
    }
}
