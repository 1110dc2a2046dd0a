using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>Reads entries as users see them: an expired or damaged entry is a miss. Thread-safe; takes no lock.</summary>
internal sealed class EntryReader
{
    // A sliding expiry is written when this part of its window has passed since it was last written.
    private const int SlideShift = 4;

    // One of this many entries that are read from the file becomes a hot copy: entries that are read often are copied soon, the others seldom.
    private const int ReadsPerHotCopy = 4;

    private readonly CacheStore _store;
    private readonly CacheWriter? _writer;
    private readonly CurrentIndex _index;
    private readonly CacheLeases _leases;
    private readonly LeaseTable _table;
    private readonly ResidentMemory _memory;
    private readonly StagedChunks _staged;
    private readonly HotCopies? _hot;
    private readonly ReadSample _sample;
    private readonly bool _verifiesAlways;
    private readonly int _slotShift;
    private readonly long _segmentBytes;
    private uint _copiedFromFile;

    /// <param name="store">The cache.</param>
    /// <param name="writer">Removes expired and damaged entries, and prolongs sliding ones; null in a process that only reads.</param>
    public EntryReader(CacheStore store, CacheWriter? writer)
    {
        _store = store;
        _writer = writer;
        _index = store.Index;
        _leases = store.Leases;
        _table = store.Leases.Table;
        _memory = store.Segments.Memory;
        _staged = store.Segments.Staged;
        _hot = store.Hot;
        _sample = store.Choice.Sample;
        _verifiesAlways = store.VerifiesAlways;
        _slotShift = store.Segments.SlotShift;
        _segmentBytes = store.Segments.SegmentBytes;
    }

    /// <summary>Finds the entry of a key and takes a lease of it. Counts the hit or miss.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(scoped ReadOnlySpan<byte> key, out EntryLease lease) => TryGet(key, XxHash64.Hash(key), out lease);

    /// <summary>Does the same for a key whose hash is known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        _sample.Note(hash);
        if (TryGetFast(key, hash, out lease))
        {
            return true;
        }

        // Another variable, because the compiler keeps a variable in registers only if it is not passed by reference.
        var isHit = TryGetSlow(key, hash, out var slow);
        lease = slow;
        return isHit;
    }

    /// <summary>Turns a hit whose value is of another schema or serializer into a miss. The caller returns its lease.</summary>
    /// <param name="isAgain">Whether the miss is counted already.</param>
    public void Refuse(bool isAgain = false)
    {
        _store.Counters.OtherLeases.Increment();
        if (!isAgain)
        {
            _store.Counters.Misses.Increment();
            _store.Counters.CountMismatched();
        }
    }

    /// <summary>Finds the expired entry of a key that may be served as a stale value, and takes a lease of it, to be undone. Changes and counts nothing.</summary>
    public bool TryGetStale(ReadOnlySpan<byte> key, out EntryLease lease)
    {
        if (_store.Finder.TryPin(key, XxHash64.Hash(key), out var pinned))
        {
            var isStale = false;
            try
            {
                isStale = IsStale(in pinned);
            }
            finally
            {
                UndoUnless(isStale, in pinned);
            }

            if (isStale)
            {
                lease = new EntryLease(_leases, pinned.Ticket, pinned.Record);
                return true;
            }
        }

        lease = default;
        return false;
    }

    /// <summary>Determines whether a key has an entry that is not expired. Changes and counts nothing.</summary>
    /// <param name="key">The key.</param>
    /// <param name="isWhole">Whether an entry that is damaged counts as missing, as for a read.</param>
    public bool Contains(ReadOnlySpan<byte> key, bool isWhole = false)
    {
        if (!_store.Finder.TryPin(key, XxHash64.Hash(key), out var pinned))
        {
            return false;
        }

        try
        {
            return !pinned.Record.IsExpired(_store.Clock, out _) && !_store.Tags.WereRemoved(pinned.Record) && (!isWhole || IsWhole(in pinned));
        }
        finally
        {
            _leases.Undo(pinned.Ticket);
        }
    }

    // Nearly every hit: the first entry with the tag, known to be whole, and in memory. It waits for no other thread, and passes no struct by reference, because a processor
    // that loads parts of a value it has just stored waits for the store. Fewer instructions let the processor begin more of the next read while it waits for memory.
    private bool TryGetFast(scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        Unsafe.SkipInit(out lease);
        var table = _index.Published;

        // A process that only reads always verifies, so the rest runs only in the process that writes.
        if (table is null || _verifiesAlways)
        {
            return false;
        }

        _hot?.Prefetch(hash);
        var cell = table.FirstMatch(hash);
        var word = cell.Word;
        var location = IndexWord.Location(word);
        var slot = (int)(location >> _slotShift);
        if (!IndexWord.IsKnown(word, hash) || !_memory.TryFind(slot, out var segment))
        {
            return false;
        }

        var offset = (location << IndexWord.UnitShift) & (_segmentBytes - 1);
        if (!segment.IsUsed(offset) || !segment.IsUsed(offset + SegmentMap.HeadBytes - 1))
        {
            return _hot is not null && TryGetCopy(_hot, table, cell, word, key, hash, out lease);
        }

        segment.Prefetch(offset, EntryPrefetch.LeastPrefetched);
        var ticket = _table.Take(slot);
        if (cell.Word == word && ReferenceEquals(_index.Published, table) && _memory.IsStillAt(slot, segment)
            && !_staged.Contains(location)
            && segment.TryRead(offset, _segmentBytes, out var record)
            && segment.IsUsedUntil(offset, record.Bytes)
            && IsHit(in record, key))
        {
            Count(cell);
            GC.KeepAlive(table);
            lease = new EntryLease(_leases, ticket, in record);
            return true;
        }

        _leases.Undo(ticket);
        return false;
    }

    // The index is checked before the copy, because a location is reused only after its copies are forgotten.
    private bool TryGetCopy(HotCopies hot, IndexTable table, IndexCell cell, ulong word, scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        lease = default;
        if (!hot.TryFind(hash, IndexWord.Location(word), out var copy))
        {
            return false;
        }

        var ticket = _table.Take(hot.SlotOf(copy));
        if (cell.Word == word && ReferenceEquals(_index.Published, table) && hot.IsCurrent(copy)
            && hot.TryRead(copy, out var record)
            && IsHit(in record, key))
        {
            Count(cell);
            GC.KeepAlive(table);
            lease = new EntryLease(_leases, ticket, in record);
            return true;
        }

        _leases.Undo(ticket);
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryGetSlow(scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        var forgotten = _hot?.Forgotten ?? 0;
        if (_store.Finder.TryPin(key, hash, out var pinned))
        {
            var isHit = false;
            try
            {
                isHit = TryUse(in pinned);
            }
            finally
            {
                UndoUnless(isHit, in pinned);
            }

            if (isHit)
            {
                if (pinned.IsCopy && !pinned.Record.IsSliding && _copiedFromFile++ % ReadsPerHotCopy == 0)
                {
                    _hot?.TryAdd(hash, pinned.Location, pinned.Record, forgotten);
                }

                lease = new EntryLease(_leases, pinned.Ticket, pinned.Record);
                return true;
            }
        }

        lease = default;
        _store.Counters.Misses.Increment();
        return false;
    }

    // While nothing will be evicted soon, counts would only dirty the index.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Count(IndexCell cell)
    {
        if (_sample.IsStarted)
        {
            cell.CountRead();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool IsHit(in CacheRecord record, scoped ReadOnlySpan<byte> key) =>
        record.Key.SequenceEqual(key)
        && (!record.HasTags || HasItsTags(in record))
        && (Volatile.Read(ref record.Expiry) is var word && word == ExpiryWord.Never || (!record.IsSliding && IsFresh(word)));

    // If the tags or the clock throw, the slow path is taken, which returns the lease.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool HasItsTags(in CacheRecord record)
    {
        try
        {
            return !_store.Tags.WereRemoved(in record);
        }
        catch (Exception)
        {
            return false;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsFresh(ulong expiry)
    {
        try
        {
            return ExpiryWord.TryRead(expiry, out var expires) && expires > ExpiryTimes.Now(_store.Clock);
        }
        catch (Exception)
        {
            return false;
        }
    }

    private void UndoUnless(bool isUsed, in PinnedRecord pinned)
    {
        if (!isUsed)
        {
            _leases.Undo(pinned.Ticket);
        }
    }

    // Determines whether a record can be given to the user, because it is whole and not expired, and marks its entry as used.
    private bool TryUse(in PinnedRecord pinned)
    {
        var record = pinned.Record;
        if (!pinned.IsCopy)
        {
            UseValue(in pinned);
        }

        if (((pinned.Word & IndexWord.Checked) == 0 || _verifiesAlways) && !record.IsWhole(pinned.Location))
        {
            return RefuseCorrupt(in pinned);
        }

        if (!ExpiryWord.TryRead(Volatile.Read(ref record.Expiry), out var expires))
        {
            return RefuseCorrupt(in pinned);
        }

        if (expires != ExpiryTimes.Never && !TryUseUntil(in pinned, expires))
        {
            return false;
        }

        if (record.HasTags && _store.Tags.WereRemoved(in record))
        {
            return RefuseOver(in pinned);
        }

        const ulong Known = IndexWord.Referenced | IndexWord.Checked;
        if (_store.IsReadOnly)
        {
            return true;
        }

        if ((pinned.Word & Known) != Known)
        {
            pinned.Cell.TryReplace(pinned.Word, pinned.Word | Known);
        }

        Count(pinned.Cell);
        GC.KeepAlive(pinned.Table);
        return true;
    }

    private bool IsStale(in PinnedRecord pinned) => pinned.Record.IsExpired(_store.Clock, out _) && !_store.IsOver(pinned.Record) && IsWhole(in pinned);

    private bool IsWhole(in PinnedRecord pinned)
    {
        var record = pinned.Record;
        if (!pinned.IsCopy)
        {
            UseValue(in pinned);
        }

        return ExpiryWord.TryRead(Volatile.Read(ref record.Expiry), out _)
            && (((pinned.Word & IndexWord.Checked) != 0 && !_verifiesAlways) || record.IsWhole(pinned.Location));
    }

    private void UseValue(in PinnedRecord pinned)
    {
        var record = pinned.Record;
        var slot = _store.Segments.SlotOf(pinned.Location);
        var offset = _store.Segments.OffsetOf(pinned.Location);

        // The system reads touched pages one by one; the pages of a large value are read together.
        if (record.ValueBytes > Environment.SystemPageSize && !_memory.IsWarm(slot, offset + record.Bytes - 1))
        {
            _store.Segments.ReadAhead(slot, offset, record.Bytes);
        }

        if (record.ValueBytes > 0)
        {
            _memory.Use(slot, offset + record.HeadBytes, record.ValueBytes);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryUseUntil(in PinnedRecord pinned, long expires)
    {
        var now = ExpiryTimes.Now(_store.Clock);
        if (expires <= now)
        {
            return RefuseOver(in pinned);
        }

        var times = pinned.Record.ReadTimes();
        if (times.IsSliding && _writer is not null)
        {
            var next = ExpiryTimes.Slide(now, times.Latest, times.Window);
            if (next == ExpiryTimes.Never || next - expires > times.Window >> SlideShift)
            {
                _writer.Prolong(in pinned, expires, next);
            }
        }

        return true;
    }

    private bool RefuseOver(in PinnedRecord pinned)
    {
        _store.Counters.CountExpired();
        _writer?.TryDrop(in pinned, onlyIfExpired: true);
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RefuseCorrupt(in PinnedRecord pinned)
    {
        // In a process that only reads, the writer may be writing the expiry at the moment. So only the process that writes removes the entry.
        _store.Counters.CountCorrupt();
        _writer?.TryDrop(in pinned, onlyIfExpired: false);
        return false;
    }
}
