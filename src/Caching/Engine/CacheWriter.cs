using System.Runtime.CompilerServices;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The part of a cache that writes. One process has it, and all of its threads use it.</summary>
/// <remarks>
/// Every change of the index is made under the lock of the hash, and so is the sequence number of the record that it leads to: for each key the numbers rise in the order
/// of the changes, which is what a rebuild of the index goes by.
/// </remarks>
internal sealed unsafe partial class CacheWriter : IDisposable
{
    private const int LockCount = 256;

    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly MessageCacheOptions _options;
    private readonly SegmentPool _pool;
    private readonly Lock[] _locks = new Lock[LockCount];
    private readonly Lock _growth = new();
    private readonly ulong _bornFlags;
    private long _nextGrowthTicks;
    private long _entries;

    public CacheWriter(CacheStore store, MessageCacheOptions options, SegmentPool pool)
    {
        _store = store;
        _control = store.Control;
        _options = options;
        _pool = pool;
        _bornFlags = options.VerifyEveryRead ? 0 : IndexWord.Checked;
        _entries = _control.Entries;
        for (var i = 0; i < LockCount; i++)
        {
            _locks[i] = new Lock();
        }

        MaxEntryBytes = Math.Min(options.MaxEntryBytes ?? long.MaxValue, _control.SegmentBytes - SegmentHeader.Bytes - CacheRecord.MaxOverheadBytes);
    }

    /// <summary>The most bytes of a key and a value together.</summary>
    public long MaxEntryBytes { get; }

    /// <summary>Takes room for an entry.</summary>
    /// <exception cref="CacheEntryTooLargeException">It is too large.</exception>
    /// <inheritdoc cref="SegmentPool.Reserve" path="/exception"/>
    public Reservation Reserve(ReadOnlySpan<byte> key, int valueBytes, ulong schema, CacheExpiry expiry)
    {
        if ((long)key.Length + valueBytes > MaxEntryBytes)
        {
            throw new CacheEntryTooLargeException((long)key.Length + valueBytes, MaxEntryBytes);
        }

        var times = (expiry.IsDefault ? _options.DefaultExpiry : expiry).Resolve(_store.Clock);
        var bytes = (uint)CacheRecord.BytesOf(key.Length, valueBytes, times.IsSliding);
        var reservation = _pool.Reserve(bytes, times.IsSliding ? CacheRecord.SlidingFlag : 0);
        reservation.Value = CacheRecord.WriteHead(reservation.Start, reservation.Word, key, valueBytes, schema, times);
        return reservation;
    }

    /// <summary>Makes a record, whose value is written, the entry of its key.</summary>
    /// <exception cref="DiskFullException">The index is full, and there is no room for a larger one. Nothing was changed.</exception>
    public void Publish(in Reservation reservation, ReadOnlySpan<byte> key)
    {
        var hash = XxHash64.Hash(key);

        // Finding the old entry may wait for a disk: not under the lock. The lease keeps its location from being used again.
        var hasOld = _store.TryPin(key, hash, out var old);
        var isPublished = false;
        try
        {
            var summary = CacheRecord.Summarize(reservation.Start, reservation.Location, reservation.Word);
            while (!TryPublish(in reservation, key, hash, summary, hasOld ? IndexWord.Identity(old.Word) : IndexWord.Empty))
            {
                Grow(isNeeded: true);
            }

            isPublished = true;
            _store.Counters.Sets.Increment();
            if (Volatile.Read(ref _entries) > _store.Table.Comfortable)
            {
                Grow(isNeeded: false);
            }
        }
        finally
        {
            if (hasOld)
            {
                _store.Undo(old.Ticket);
            }

            Finish(in reservation, isPublished);
        }
    }

    /// <summary>Gives room back that was not used: it is stepped over.</summary>
    public void Abandon(in Reservation reservation) => Finish(in reservation, isPublished: false);

    /// <summary>Removes the entry of a key.</summary>
    /// <returns>False when there was none, or an expired one.</returns>
    public bool Remove(ReadOnlySpan<byte> key)
    {
        var hash = XxHash64.Hash(key);
        if (!_store.TryPin(key, hash, out var old))
        {
            return false;
        }

        try
        {
            return TryReserveRemoval(key, out var removal) ? Remove(key, hash, in old, in removal) : RemoveUnrecorded(key, hash, in old);
        }
        finally
        {
            _store.Undo(old.Ticket);
        }
    }

    /// <summary>Removes an entry that was found expired or damaged, exactly that one; leaves it to somebody else when its lock is taken.</summary>
    public void TryDrop(in PinnedRecord pinned, bool onlyIfExpired)
    {
        var gate = LockOf(XxHash64.Hash(pinned.Record.Key));
        if (!gate.TryEnter())
        {
            return;
        }

        try
        {
            if (ReferenceEquals(_store.Table, pinned.Table) && pinned.IsCurrent && (!onlyIfExpired || _store.IsExpired(_store.Original(in pinned), out _)))
            {
                Replace(pinned.Cell, IndexWord.Empty);
            }
        }
        finally
        {
            gate.Exit();
        }
    }

    /// <summary>Removes everything.</summary>
    public void Clear()
    {
        EnterAll();
        try
        {
            Volatile.Write(ref _control.Header->ClearedSequence, Volatile.Read(ref _control.Header->Sequence));
            _store.Table.Clear();
            for (var slot = 0; slot < _control.SlotCount; slot++)
            {
                Volatile.Write(ref _control.Slot(slot).Entries, 0);
            }

            Volatile.Write(ref _entries, 0);
        }
        finally
        {
            ExitAll();
        }
    }

    public void Dispose() => _pool.Close();

    private bool TryPublish(in Reservation reservation, ReadOnlySpan<byte> key, ulong hash, uint summary, ulong known)
    {
        lock (LockOf(hash))
        {
            var cell = FindCell(key, hash, known);
            if (cell is null && (cell = _store.Table.FindEmpty(hash)) is null)
            {
                return false;
            }

            Commit(in reservation, summary);
            Interlocked.Increment(ref _control.Slot(reservation.Slot).Entries);
            Interlocked.Increment(ref _entries);
            Replace(cell, IndexWord.Compose(hash, reservation.Location, _bornFlags));
            return true;
        }
    }

    private void Commit(in Reservation reservation, uint summary) =>
        CacheRecord.Commit(reservation.Start, summary, reservation.Word, Interlocked.Increment(ref _control.Header->Sequence));

    // Under the lock of the hash nobody but the caller changes which record an entry leads to; readers set its flags.
    private void Replace(ulong* cell, ulong word)
    {
        var old = Interlocked.Exchange(ref *cell, word);
        if (old != IndexWord.Empty)
        {
            Interlocked.Decrement(ref _control.Slot(_store.SlotOf(IndexWord.Location(old))).Entries);
            Interlocked.Decrement(ref _entries);
        }
    }

    /// <summary>Finds the entry of a key, under its lock.</summary>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="known">An entry, leased, that is known to be of this key; or empty.</param>
    private ulong* FindCell(ReadOnlySpan<byte> key, ulong hash, ulong known)
    {
        var table = _store.Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            // Another one is of a key with the same 36 bits of the hash, or was set this moment and is in memory. While the lock is held it stays where it is.
            if ((known != IndexWord.Empty && IndexWord.Identity(cursor.Word) == known) || HasKey(IndexWord.Location(cursor.Word), key))
            {
                return cursor.Cell;
            }
        }

        return null;
    }

    private bool HasKey(long location, ReadOnlySpan<byte> key)
    {
        var slot = _store.SlotOf(location);
        var offset = _store.OffsetOf(location);
        if (slot >= _control.SlotCount || _store.Segment(slot) is null)
        {
            return false;
        }

        _store.Memory.Use(slot, _store.Segment(slot) + offset, 1);
        return CacheRecord.TryRead(_store.Segment(slot) + offset, _control.SegmentBytes - offset, out var record)
            && record.Key.SequenceEqual(key);
    }

    private bool Remove(ReadOnlySpan<byte> key, ulong hash, in PinnedRecord old, in Reservation removal)
    {
        var isRemoved = false;
        try
        {
            var wasExpired = _store.IsExpired(old.Record, out _);
            var summary = CacheRecord.Summarize(removal.Start, removal.Location, removal.Word);
            lock (LockOf(hash))
            {
                var cell = FindCell(key, hash, IndexWord.Identity(old.Word));
                if (cell is not null)
                {
                    Commit(in removal, summary);
                    Replace(cell, IndexWord.Empty);
                    isRemoved = true;
                }
            }

            return isRemoved && !wasExpired;
        }
        finally
        {
            Finish(in removal, isRemoved);
        }
    }

    // Without a record of it the entry may come back, should the index be lost.
    private bool RemoveUnrecorded(ReadOnlySpan<byte> key, ulong hash, in PinnedRecord old)
    {
        lock (LockOf(hash))
        {
            var cell = FindCell(key, hash, IndexWord.Identity(old.Word));
            if (cell is not null)
            {
                Replace(cell, IndexWord.Empty);
            }

            return cell is not null;
        }
    }

    private bool TryReserveRemoval(ReadOnlySpan<byte> key, out Reservation removal)
    {
        try
        {
            removal = _pool.Reserve((uint)CacheRecord.BytesOf(key.Length, 0, isSliding: false), CacheRecord.RemovalFlag);
            CacheRecord.WriteHead(removal.Start, removal.Word, key, 0, 0, default);
            return true;
        }
        catch (Exception exception) when (exception is DiskFullException or TimeoutException)
        {
            removal = default;
            return false;
        }
    }

    private void Finish(in Reservation reservation, bool isPublished)
    {
        if (!isPublished)
        {
            Volatile.Write(ref *(ulong*)reservation.Start, RecordWord.AsPadding(reservation.Word));
        }

        _pool.Finish(in reservation);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Lock LockOf(ulong hash) => _locks[hash % LockCount];

    private void EnterAll()
    {
        foreach (var gate in _locks)
        {
            gate.Enter();
        }
    }

    private void ExitAll()
    {
        foreach (var gate in _locks)
        {
            gate.Exit();
        }
    }
}
