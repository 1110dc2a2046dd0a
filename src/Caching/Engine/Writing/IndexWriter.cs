using System.Diagnostics;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The changes of the index, each under the lock of its hash. Thread-safe.</summary>
/// <remarks>
/// The sequence number of a record is given under the same lock as its entry: sequence numbers increase per key in update order, and index rebuild relies on this.
/// Sets, moves and removals count an entry only while it is in the index. So a killed process leaves no count that is too large, and the unfinished changes of two of its threads do not
/// cancel each other: opening finds each by a count that is too small, or by a record without an entry.
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
    private bool _isClosed;

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
        _growth = new IndexGrowth(store, _locks);
        _bornFlags = verifiesFirst ? 0 : IndexWord.Checked;
        _entries = _control.Entries;
    }

    /// <summary>Gets the number of entries. An entry that is being moved counts once, while the counts of segments leave it out for a moment.</summary>
    public long Entries => Volatile.Read(ref _entries);

    /// <summary>Publishes a record as the entry of its key.</summary>
    /// <param name="reservation">The record.</param>
    /// <param name="summary">The checksum of its content.</param>
    /// <param name="known">An entry that is known to be of this key, or none.</param>
    /// <exception cref="DiskFullException">The index is full, and there is no room for a larger one. Nothing was changed.</exception>
    public void Publish(in Reservation reservation, uint summary, KnownEntry known)
    {
        for (var table = _store.Index.Table; !TryPublish(in reservation, summary, known); table = _store.Index.Table)
        {
            _growth.Grow(table, isNeeded: true);
        }
    }

    /// <summary>Begins to load the hash's bucket, and the notes on its entries, into the processor's cache.</summary>
    public void Prefetch(ulong hash)
    {
        _store.Index.Published?.Prefetch(hash);
        _growth.KnownNotes?.Prefetch(hash);
    }

    /// <summary>Determines whether there are notes on all entries that may be of a key, as far as can be determined without the lock.</summary>
    public bool IsNoted(ulong hash)
    {
        if (_growth.KnownNotes is not { } notes)
        {
            return false;
        }

        if (!notes.MayLack)
        {
            return true;
        }

        var isNoted = true;
        var cursor = notes.Table.CursorOf(hash);
        while (isNoted && notes.Table.TryNext(ref cursor, hash))
        {
            isNoted = notes[cursor.Cell].IsKnown;
        }

        GC.KeepAlive(notes);
        return isNoted;
    }

    /// <summary>Replaces the index with a larger one when it is nearly full.</summary>
    public void GrowIfFull()
    {
        var table = _store.Index.Table;
        if (Volatile.Read(ref _entries) > table.Comfortable)
        {
            _growth.Grow(table, isNeeded: false);
        }
    }

    /// <summary>Moves the entry at a location to a copy of its record.</summary>
    /// <returns>False when the entry has left the location.</returns>
    public bool TryMove(in LiveRecord found, in Reservation copy, uint summary, ulong expiry)
    {
        var (record, hash) = (found.Record, found.Hash);
        _locks.Enter(hash);
        try
        {
            var cell = _store.Index.Table.FindCell(hash, found.Location, out _);
            if (cell.Exists)
            {
                // Before and after: a touch may come at any time, and readers of the copy see only a carried expiry.
                expiry = copy.CarryExpiry(_store.Current(in found), expiry);
                var note = Commit(in copy, hash, summary, record.Sequence);
                Replace(cell, IndexWord.Compose(hash, copy.Location, _bornFlags), note, in copy, record.Bytes);
                Interlocked.MemoryBarrier();
                if (copy.CarryExpiry(_store.Current(in found), expiry) != expiry)
                {
                    // A read between may have made a hot copy with the expiry from before the touch, which knew the old location only.
                    _store.Hot?.Forget(hash, copy.Location);
                }
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
    /// <param name="recordBytes">The bytes of the record; 0 when it is damaged.</param>
    /// <returns>False when an entry no longer leads there.</returns>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public bool TryRemove(ulong hash, long location, long recordBytes)
    {
        _locks.Enter(hash);
        try
        {
            RequireOpen();
            var cell = _store.Index.Table.FindCell(hash, location, out _);
            if (cell.Exists)
            {
                Remove(cell, recordBytes);
            }

            return cell.Exists;
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    /// <summary>Waits until the changes that are under way have ended.</summary>
    public void AwaitChanges() => _locks.PassAll();

    /// <summary>Clears the counts of a segment to which no entry leads. Damaged records have left some.</summary>
    public void ClearCounts(int slot)
    {
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
            if (!_isClosed && _store.Index.IsCurrent(pinned.Table) && pinned.IsCurrent && (!onlyIfExpired || IsStillOver(in pinned)))
            {
                Remove(pinned.Cell, pinned.Record.Bytes);
            }
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    // Another thread may have prolonged the entry since its record was copied.
    private bool IsStillOver(in PinnedRecord pinned) => _store.Finder.HasExpiryOf(in pinned) && _store.IsOver(pinned.Record);

    /// <summary>Removes the tags of a group.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void RemoveTags(int group)
    {
        _locks.Enter((ulong)group);
        try
        {
            RequireOpen();
            _store.Tags.Require().Remove(group);
        }
        finally
        {
            _locks.Exit((ulong)group);
        }
    }

    /// <summary>Removes all entries.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void Clear()
    {
        _locks.EnterAll();
        try
        {
            RequireOpen();
            Volatile.Write(ref _control.Header.ClearedSequence, Volatile.Read(ref _control.Header.Sequence));
            _store.Index.Table.Clear();
            for (var slot = 0; slot < _book.UsedSlots; slot++)
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

    /// <summary>Refuses changes from now on, and waits for those under way: the next owner of the files may be another process. Threads no longer publish or move entries.</summary>
    public void Close()
    {
        _locks.EnterAll();
        _isClosed = true;
        _locks.ExitAll();
    }

    /// <summary>Finds the entry that leads to a location, its word and its reads. Without its lock it may be gone at once, and in a larger table.</summary>
    public bool TryFind(ulong hash, long location, out ulong word, out int reads)
    {
        var table = _store.Index.Table;
        var cell = table.FindCell(hash, location, out word);
        reads = cell.Exists ? cell.Reads : 0;
        GC.KeepAlive(table);
        return cell.Exists;
    }

    // Under a lock, so that a change which has begun ends before the cache is closed.
    private void RequireOpen()
    {
        if (_isClosed)
        {
            throw CacheFailures.Disposed(_control.Directory);
        }
    }

    private bool TryPublish(in Reservation reservation, uint summary, KnownEntry known)
    {
        var hash = reservation.Hash;
        _locks.Enter(hash);
        try
        {
            var cell = FindCell(hash, ref known);
            if (cell.Exists)
            {
                // The entry keeps its reads: whether there were any in the word, and their number beside it.
                var read = cell.Word & IndexWord.Referenced;
                var note = Commit(in reservation, hash, summary, above: known.Sequence);
                Replace(cell, IndexWord.Compose(hash, reservation.Location, _bornFlags | read), note, in reservation, known.RecordBytes);
                return true;
            }

            cell = _store.Index.Table.FindEmpty(hash);
            if (cell.Exists)
            {
                var note = Commit(in reservation, hash, summary, above: 0);
                cell.SetReads(_store.Choice.CountNew(hash));
                _growth.Notes[cell] = note;
                cell.Write(IndexWord.Compose(hash, reservation.Location, _bornFlags));
                _book.Add(reservation.Slot, RecordWord.Bytes(reservation.Word), reservation.Lane);
                Interlocked.Increment(ref _entries);
            }

            return cell.Exists;
        }
        finally
        {
            _locks.Exit(hash);
        }
    }

    // Finds the entry of a hash, with the bytes and the sequence number of its record. There is at most one, even for two keys with the same hash: a second one would reappear when the first is removed.
    private IndexCell FindCell(ulong hash, ref KnownEntry known)
    {
        Debug.Assert(_locks.IsHeld(hash), "The entry may move.");
        var notes = _growth.Notes;
        var cursor = notes.Table.CursorOf(hash);
        while (notes.Table.TryNext(ref cursor, hash))
        {
            if (known.Is(cursor.Word))
            {
                return cursor.Cell;
            }

            if (notes[cursor.Cell] is { IsKnown: true } note)
            {
                if (note.IsOf(hash) && IsPossible(IndexWord.Location(cursor.Word)))
                {
                    known = new KnownEntry(IndexWord.Identity(cursor.Word), note.RecordBytes, _lanes.EndOf(note.Block));
                    return cursor.Cell;
                }

                continue;
            }

            // An entry of another process, whose key has the same 36 bits of the hash. The lock keeps it where it is.
            if (TryKnow(cursor.Word, hash, out var read))
            {
                known = read;
                return cursor.Cell;
            }
        }

        return default;
    }

    // The word may be noise; the note is not.
    private bool IsPossible(long location) =>
        _store.Segments.IsMapped(_store.Segments.SlotOf(location))
        && _store.Segments.OffsetOf(location) is var offset && offset >= SegmentHeader.Bytes && offset < _store.Segments.RecordsEnd;

    private bool TryKnow(ulong word, ulong hash, out KnownEntry known)
    {
        var segments = _store.Segments;
        var location = IndexWord.Location(word);
        var slot = segments.SlotOf(location);
        if (segments.Staged.TryHold(location, out var hold))
        {
            known = hold.Record is { } staged && XxHash64.Hash(staged.Key) == hash ? KnownEntry.Of(word, staged) : default;
            segments.Staged.Release(hold);
            return known.Is(word);
        }

        CacheRecord record = default;
        var isFound = segments.IsMapped(slot) && segments.TryRead(slot, segments.OffsetOf(location), out record) && XxHash64.Hash(record.Key) == hash;
        known = isFound ? KnownEntry.Of(word, record) : default;
        return isFound;
    }

    // Returns the note on the entry that will lead to the record.
    private EntryNote Commit(in Reservation reservation, ulong hash, uint summary, ulong above)
    {
        var sequence = _lanes.NextSequence(reservation.Lane, above);
        reservation.Commit(summary, sequence);
        return EntryNote.Of(hash, RecordWord.Bytes(reservation.Word), WriteLanes.BlockOf(sequence));
    }

    // The order matters if the process is killed in between. The old record is marked before the entry leaves it, so that no unmarked record is without an entry. Its count is taken off
    // before it is marked, so that the count of the segment shows that a record is marked to which the entry still leads.
    private void Replace(IndexCell cell, ulong word, EntryNote note, in Reservation reservation, long oldBytes)
    {
        var old = IndexWord.Location(cell.Word);
        _book.Subtract(_store.Segments.SlotOf(old), oldBytes, reservation.Lane);
        _store.Segments.MarkDead(old);
        _growth.Notes[cell] = note;
        cell.Write(word);
        _book.Add(reservation.Slot, RecordWord.Bytes(reservation.Word), reservation.Lane);
    }

    // While the lock of the hash is held, no other thread changes the record to which an entry leads; readers set its flags.
    private void Remove(IndexCell cell, long oldBytes)
    {
        var old = IndexWord.Location(cell.Word);
        _book.Subtract(_store.Segments.SlotOf(old), oldBytes, WriteLanes.None);
        _store.Segments.MarkDead(old);
        cell.Write(IndexWord.Empty);
        Interlocked.Decrement(ref _entries);
    }
}
