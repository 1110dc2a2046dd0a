using System.Runtime.CompilerServices;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <content>Reads as users see them: what is expired or damaged is a miss.</content>
internal sealed unsafe partial class CacheStore
{
    // A sliding expiry is written when this part of its window has passed since it was written last.
    private const int SlideShift = 4;

    // A small entry.
    private const int PrefetchedBytes = 192;

    /// <summary>Finds the entry of a key and takes a lease of it. Counted.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(scoped ReadOnlySpan<byte> key, out EntryLease lease)
    {
        var hash = XxHash64.Hash(key);
        if (TryGetHere(key, hash, out lease))
        {
            return true;
        }

        // Another lease: the compiler keeps in registers what is not handed on.
        var isHit = TryGetFurther(key, hash, out var further);
        lease = further;
        return isHit;
    }

    /// <summary>A hit turns out to be none: the message is of another schema.</summary>
    public void Refuse(LeaseTicket ticket)
    {
        Undo(ticket);
        Counters.Misses.Increment();
        Counters.CountMismatched();
    }

    /// <summary>Says whether a key has an entry, and changes and counts nothing.</summary>
    public bool Contains(ReadOnlySpan<byte> key)
    {
        if (!TryPin(key, XxHash64.Hash(key), out var pinned))
        {
            return false;
        }

        var isThere = !IsExpired(pinned.Record, out _);
        Undo(pinned.Ticket);
        return isThere;
    }

    /// <summary>The record is expired; one with a damaged expiry is not, it is corrupt.</summary>
    public bool IsExpired(CacheRecord record, out long now)
    {
        now = 0;
        return ExpiryWord.TryRead(Volatile.Read(ref record.Expiry), out var expires)
            && expires != ExpiryTimes.Never
            && expires <= (now = ExpiryTimes.Now(Clock));
    }

    /// <summary>Reading the key's entry, if it has one, would not wait for a disk, as far as this process knows.</summary>
    public bool IsWarm(ReadOnlySpan<byte> key)
    {
        var hash = XxHash64.Hash(key);
        var table = Table;
        var cursor = table.CursorOf(hash);
        while (table.TryNext(ref cursor, hash))
        {
            if (!IsWarm(hash, IndexWord.Location(cursor.Word)))
            {
                return false;
            }
        }

        GC.KeepAlive(table);
        return true;
    }

    /// <summary>Begins to read entries that may be there, of some keys' hashes: from memory into the processor's cache, and from the disk into memory.</summary>
    public void Prefetch(ReadOnlySpan<ulong> hashes)
    {
        // What is not in the processor's cache is waited for all at once, not one after the other.
        var table = Table;
        foreach (var hash in hashes)
        {
            table.Prefetch(hash);
            _hot?.Prefetch(hash);
        }

        foreach (var hash in hashes)
        {
            var cursor = table.CursorOf(hash);
            while (table.TryNext(ref cursor, hash))
            {
                Prefetch(table, hash, IndexWord.Location(cursor.Word));
            }
        }

        GC.KeepAlive(table);
    }

    private void Prefetch(IndexTable table, ulong hash, long location)
    {
        var slot = SlotOf(location);
        var offset = OffsetOf(location);
        if (slot < _bases.Length && Memory.IsWarm(slot, offset))
        {
            ProcessorCache.Prefetch(Segment(slot) + offset, PrefetchedBytes);
        }
        else if (_hot is not null && _hot.TryFind(hash, location, out var copy))
        {
            ProcessorCache.Prefetch(_hot.RecordOf(copy, out _), PrefetchedBytes);
        }
        else if (slot < _bases.Length && LinuxKernel.IsSupported)
        {
            // The lease keeps the mapping. What is read ahead may belong to somebody else meanwhile: no harm.
            var ticket = Leases.Take(slot);
            if (_index.IsCurrent(table) && IsMapped(slot))
            {
                var start = offset & -Environment.SystemPageSize;
                LinuxKernel.WillNeed(Segment(slot) + start, (nuint)Math.Min(offset + HeadBytes - start, Control.SegmentBytes - start));
            }

            Undo(ticket);
        }
    }

    // A record that was found can be given to the user: it is whole and not expired. Notes that it is used.
    private bool TryUse(in PinnedRecord pinned)
    {
        var record = pinned.Record;
        if (!pinned.IsCopy)
        {
            if (record.ValueBytes > Environment.SystemPageSize)
            {
                ReadAhead(in pinned);
            }

            Memory.Use(SlotOf(pinned.Location), record.Value, Math.Max(record.ValueBytes, 1));
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

        const ulong Known = IndexWord.Referenced | IndexWord.Checked;
        if ((pinned.Word & Known) != Known && !IsReadOnly)
        {
            Interlocked.CompareExchange(ref *pinned.Cell, pinned.Word | Known, pinned.Word);
        }

        return true;
    }

    // Nearly every hit: the first entry with the tag, known to be whole, and in memory. Nothing here waits for another thread, and no struct is handed on, because a processor
    // that loads what it just stored in other pieces waits for the stores. The fewer instructions, the more of the next read a processor begins while it waits for this one's memory.
    private bool TryGetHere(scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        Unsafe.SkipInit(out lease);
        var table = _index.Published;

        // Whoever only reads verifies always, so all that follows is in the process that writes.
        if (table is null || _verifiesAlways)
        {
            return false;
        }

        _hot?.Prefetch(hash);
        var cell = table.FirstMatch(hash);
        var word = Volatile.Read(ref *cell);
        var location = IndexWord.Location(word);
        var slot = SlotOf(location);
        if (!IndexWord.IsKnown(word, hash) || !Memory.TryFind(slot, out var segment))
        {
            return false;
        }

        var offset = OffsetOf(location);
        if (!segment.IsUsed(offset) || !segment.IsUsed(offset + HeadBytes - 1))
        {
            return _hot is not null && TryGetCopy(_hot, table, cell, word, key, hash, out lease);
        }

        ProcessorCache.Prefetch(segment.Start + offset, PrefetchedBytes);
        var ticket = Leases.Take(slot);
        if (Volatile.Read(ref *cell) == word && ReferenceEquals(_index.Published, table) && Memory.IsStillAt(slot, segment.Start)
            && CacheRecord.TryRead(segment.Start + offset, _segmentBytes - offset, out var record)
            && segment.IsUsedUntil(offset, record.Bytes)
            && IsHit(in record, key))
        {
            lease = new EntryLease(this, ticket, in record);
            return true;
        }

        Undo(ticket);
        return false;
    }

    // The index is looked at first and the copy second: a location is used again only after its copies are forgotten.
    private bool TryGetCopy(HotCopies hot, IndexTable table, ulong* cell, ulong word, scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        lease = default;
        if (!hot.TryFind(hash, IndexWord.Location(word), out var copy))
        {
            return false;
        }

        var ticket = Leases.Take(hot.SlotOf(copy));
        if (Volatile.Read(ref *cell) == word && ReferenceEquals(_index.Published, table) && hot.IsCurrent(copy)
            && CacheRecord.TryRead(hot.RecordOf(copy, out var remaining), remaining, out var record)
            && IsHit(in record, key))
        {
            lease = new EntryLease(this, ticket, in record);
            return true;
        }

        Undo(ticket);
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryGetFurther(scoped ReadOnlySpan<byte> key, ulong hash, out EntryLease lease)
    {
        var forgotten = _hot?.Forgotten ?? 0;
        if (TryPin(key, hash, out var pinned))
        {
            if (TryUse(in pinned))
            {
                if (pinned.IsCopy && !pinned.Record.IsSliding && _copiedFromFile++ % ReadsPerHotCopy == 0)
                {
                    _hot?.TryAdd(hash, pinned.Location, pinned.Record.Start, pinned.Record.Bytes, forgotten);
                }

                lease = new EntryLease(this, pinned.Ticket, pinned.Record);
                return true;
            }

            Undo(pinned.Ticket);
        }

        lease = default;
        Counters.Misses.Increment();
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool IsHit(in CacheRecord record, scoped ReadOnlySpan<byte> key) =>
        record.Key.SequenceEqual(key)
        && (Volatile.Read(ref record.Expiry) is var word && word == ExpiryWord.Never || (!record.IsSliding && IsFresh(word)));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsFresh(ulong expiry) => ExpiryWord.TryRead(expiry, out var expires) && expires > ExpiryTimes.Now(Clock);

    private bool IsWarm(ulong hash, long location)
    {
        var slot = SlotOf(location);
        return slot < _bases.Length && (Memory.IsWarm(slot, OffsetOf(location)) || (_hot is not null && _hot.TryFind(hash, location, out _)));
    }

    // Pages are read one by one as they are touched; what is known to be needed is read at once.
    private void ReadAhead(in PinnedRecord pinned)
    {
        var offset = OffsetOf(pinned.Location) & -Environment.SystemPageSize;
        if (LinuxKernel.IsSupported && !Memory.IsWarm(SlotOf(pinned.Location), OffsetOf(pinned.Location) + pinned.Record.Bytes - 1))
        {
            LinuxKernel.WillNeed(Segment(SlotOf(pinned.Location)) + offset, (nuint)(OffsetOf(pinned.Location) + pinned.Record.Bytes - offset));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryUseUntil(in PinnedRecord pinned, long expires)
    {
        var now = ExpiryTimes.Now(Clock);
        if (expires <= now)
        {
            Counters.CountExpired();
            Writer?.TryDrop(in pinned, onlyIfExpired: true);
            return false;
        }

        var times = pinned.Record.ReadTimes();
        if (times.IsSliding && Writer is not null)
        {
            var next = ExpiryTimes.Slide(now, times.Latest, times.Window);
            if (next == ExpiryTimes.Never || next - expires > times.Window >> SlideShift)
            {
                Writer.Prolong(in pinned, next);
            }
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RefuseCorrupt(in PinnedRecord pinned)
    {
        // Another process may just have begun to write the expiry: only the writer can tell, so only it removes.
        Counters.CountCorrupt();
        Writer?.TryDrop(in pinned, onlyIfExpired: false);
        return false;
    }
}
