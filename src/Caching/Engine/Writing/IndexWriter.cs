using System.Diagnostics;
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
    private readonly KeyLocks _locks = new();
    private readonly IndexGrowth _growth;
    private readonly ulong _bornFlags;
    private long _entries;

    /// <param name="store">The cache.</param>
    /// <param name="verifiesFirst">Whether the first read of an entry that this process has written compares its checksum.</param>
    public IndexWriter(CacheStore store, bool verifiesFirst)
    {
        _store = store;
        _control = store.Control;
        _growth = new IndexGrowth(_control, store.Index, _locks);
        _bornFlags = verifiesFirst ? 0 : IndexWord.Checked;
        _entries = _control.Entries;
    }

    /// <summary>Makes a record the entry of its key.</summary>
    /// <param name="reservation">The record.</param>
    /// <param name="summary">Its checksum, without the sequence number.</param>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="known">An entry, leased, that is known to be of this key; or empty.</param>
    /// <exception cref="DiskFullException">The index is full, and there is no room for a larger one. Nothing was changed.</exception>
    public void Publish(in Reservation reservation, uint summary, ReadOnlySpan<byte> key, ulong hash, ulong known)
    {
        while (!TryPublish(in reservation, summary, key, hash, known))
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
        lock (_locks.Of(hash))
        {
            var cell = FindCell(hash, location, out _);
            if (cell.Exists)
            {
                // Before and after: a touch may come at any time, and readers of the copy see only a carried expiry.
                expiry = copy.CarryExpiry(record, expiry);
                Lead(cell, hash, in copy, summary);
                copy.CarryExpiry(record, expiry);
            }

            return cell.Exists;
        }
    }

    /// <summary>Removes the entry of a key, and commits the record of its removal.</summary>
    public bool TryRemove(ReadOnlySpan<byte> key, ulong hash, ulong known, in Reservation removal, uint summary)
    {
        lock (_locks.Of(hash))
        {
            var cell = FindCell(key, hash, known);
            if (cell.Exists)
            {
                Commit(in removal, summary);
                Replace(cell, IndexWord.Empty);
            }

            return cell.Exists;
        }
    }

    /// <summary>Removes the entry of a key without a record of it: if the index is lost, the entry may come back.</summary>
    public bool TryRemove(ReadOnlySpan<byte> key, ulong hash, ulong known)
    {
        lock (_locks.Of(hash))
        {
            var cell = FindCell(key, hash, known);
            if (cell.Exists)
            {
                Replace(cell, IndexWord.Empty);
            }

            return cell.Exists;
        }
    }

    /// <summary>Removes the entry at a location.</summary>
    public bool TryRemove(ulong hash, long location)
    {
        lock (_locks.Of(hash))
        {
            var cell = FindCell(hash, location, out _);
            if (cell.Exists)
            {
                Replace(cell, IndexWord.Empty);
            }

            return cell.Exists;
        }
    }

    /// <summary>Commits the copy of a removal's record, unless the key has an entry by now.</summary>
    public bool TryKeepRemoval(ReadOnlySpan<byte> key, ulong hash, in Reservation copy, uint summary)
    {
        lock (_locks.Of(hash))
        {
            if (FindCell(key, hash, IndexWord.Empty).Exists)
            {
                return false;
            }

            Commit(in copy, summary);
            return true;
        }
    }

    /// <summary>Removes exactly the entry that was found expired or damaged. When its lock is taken, the entry stays until another read finds it.</summary>
    public void TryDrop(in PinnedRecord pinned, bool onlyIfExpired)
    {
        var gate = _locks.Of(XxHash64.Hash(pinned.Record.Key));
        if (!gate.TryEnter())
        {
            return;
        }

        try
        {
            if (_store.Index.IsCurrent(pinned.Table) && pinned.IsCurrent && (!onlyIfExpired || _store.Finder.Original(in pinned).IsExpired(_store.Clock, out _)))
            {
                Replace(pinned.Cell, IndexWord.Empty);
            }
        }
        finally
        {
            gate.Exit();
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
            for (var slot = 0; slot < _control.SlotCount; slot++)
            {
                Volatile.Write(ref _control.Slot(slot).Entries, 0);
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

    private bool TryPublish(in Reservation reservation, uint summary, ReadOnlySpan<byte> key, ulong hash, ulong known)
    {
        lock (_locks.Of(hash))
        {
            var cell = FindCell(key, hash, known);
            cell = cell.Exists ? cell : _store.Index.Table.FindEmpty(hash);
            if (cell.Exists)
            {
                Lead(cell, hash, in reservation, summary);
            }

            return cell.Exists;
        }
    }

    private IndexCell FindCell(ReadOnlySpan<byte> key, ulong hash, ulong known)
    {
        Debug.Assert(_locks.Of(hash).IsHeldByCurrentThread, "The entry may move.");
        var table = _store.Index.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            // Another entry with the tag has a key with the same 36 bits of the hash, or was set just now and is in memory. The lock keeps it where it is.
            if ((known != IndexWord.Empty && IndexWord.Identity(cursor.Word) == known) || HasKey(IndexWord.Location(cursor.Word), key))
            {
                return cursor.Cell;
            }
        }

        return default;
    }

    private bool HasKey(long location, ReadOnlySpan<byte> key)
    {
        var slot = _store.Segments.SlotOf(location);
        return _store.Segments.IsMapped(slot)
            && _store.Segments.TryRead(slot, _store.Segments.OffsetOf(location), out var record)
            && record.Key.SequenceEqual(key);
    }

    private void Lead(IndexCell cell, ulong hash, in Reservation reservation, uint summary)
    {
        Commit(in reservation, summary);
        Interlocked.Increment(ref _control.Slot(reservation.Slot).Entries);
        Interlocked.Increment(ref _entries);
        Replace(cell, IndexWord.Compose(hash, reservation.Location, _bornFlags));
    }

    private void Commit(in Reservation reservation, uint summary) => reservation.Commit(summary, Interlocked.Increment(ref _control.Header.Sequence));

    // While the lock of the hash is held, no other thread changes the record to which an entry leads; readers set its flags.
    private void Replace(IndexCell cell, ulong word)
    {
        var old = cell.Exchange(word);
        if (old != IndexWord.Empty)
        {
            Interlocked.Decrement(ref _control.Slot(_store.Segments.SlotOf(IndexWord.Location(old))).Entries);
            Interlocked.Decrement(ref _entries);
        }
    }
}
