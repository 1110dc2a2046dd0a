using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>Finds records through the index and takes leases of them, in whatever state they are. Thread-safe; takes no lock.</summary>
/// <remarks>
/// A lookup finds an entry, takes a lease of its segment, and checks that the entry is still there. A segment is reused after its entries are removed, all threads are fenced, and no
/// lease is found. So either the lookup finds the entry gone, or the segment is not reused.
/// </remarks>
internal sealed class RecordFinder(SegmentMap segments, CurrentIndex index, CacheLeases leases, EntryCopies copies, HotCopies? hot)
{
    // The fewest bytes that are read first of a record that is copied.
    private const int MinCopied = 256;

    private int _usualBytes = MinCopied;

    /// <summary>Gets whether reads wait for the disk.</summary>
    public FileWaits Waits { get; } = new();

    /// <summary>Finds the record of a key and takes a lease of it.</summary>
    public bool TryPin(ReadOnlySpan<byte> key, ulong hash, out PinnedRecord pinned)
    {
        while (true)
        {
            var table = index.Table;
            var cursor = table.CursorOf(hash);
            var wasMoved = false;
            while (!wasMoved && table.TryNext(ref cursor, hash))
            {
                if (!TryPin(table, cursor.Cell, cursor.Word, out pinned, out wasMoved))
                {
                    continue;
                }

                if (pinned.Record.Key.SequenceEqual(key))
                {
                    return true;
                }

                leases.Undo(pinned.Ticket);
            }

            GC.KeepAlive(table);
            if (!wasMoved)
            {
                pinned = default;
                return false;
            }
        }
    }

    /// <summary>Takes a lease of the record to which an entry leads.</summary>
    /// <param name="table">The index.</param>
    /// <param name="cell">The entry.</param>
    /// <param name="word">The word that was found in it.</param>
    /// <param name="pinned">The record.</param>
    /// <param name="wasMoved">Whether the entry no longer leads there.</param>
    /// <returns>False if the record was moved or removed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPin(IndexTable table, IndexCell cell, ulong word, out PinnedRecord pinned, out bool wasMoved)
    {
        var location = IndexWord.Location(word);
        var slot = segments.SlotOf(location);
        pinned = default;
        if (slot >= segments.Slots)
        {
            wasMoved = false;
            return false;
        }

        var ticket = leases.Table.Take(slot);
        wasMoved = IndexWord.Identity(cell.Word) != IndexWord.Identity(word) || !index.IsCurrent(table);
        if (!wasMoved && TryFollow(slot, ticket))
        {
            var offset = segments.OffsetOf(location);
            var isCopy = TryCopyStaged(location, ticket, out var record, out var isStaged)
                || (!isStaged && segments.Memory.IsCopyBetter(slot, offset) && TryCopy(slot, offset, ticket, out record));
            if (isCopy || (!isStaged && segments.TryRead(slot, offset, out record)))
            {
                pinned = new PinnedRecord(ticket, record, isCopy, table, cell, word);
                return true;
            }
        }

        leases.Undo(ticket);
        return false;
    }

    /// <summary>Begins to load the mark of the record to which the first entry with the tag of a hash leads, into the processor's cache.</summary>
    public void PrefetchMark(ulong hash)
    {
        if (FirstLocation(hash) is var location and not 0)
        {
            segments.PrefetchMark(location);
        }
    }

    /// <summary>Determines whether reading the head of that record would not wait for a disk, as far as this process knows.</summary>
    public bool IsNear(ulong hash) => FirstLocation(hash) is var location and not 0 && segments.IsHeadNear(location);

    /// <summary>Gets the record itself where the lookup has made a copy, and keeps it where it is until the result is disposed. In the process that writes.</summary>
    /// <returns>The record; the copy if the record was damaged since.</returns>
    public HeldRecord Hold(in PinnedRecord pinned)
    {
        if (!pinned.IsCopy)
        {
            return new HeldRecord(pinned.Record);
        }

        if (segments.Staged.TryHold(pinned.Location, out var hold))
        {
            return new HeldRecord(hold.Record ?? pinned.Record, segments.Staged, hold);
        }

        return new HeldRecord(segments.TryRead(segments.SlotOf(pinned.Location), segments.OffsetOf(pinned.Location), out var record) ? record : pinned.Record);
    }

    /// <summary>Determines whether a record that the lookup has copied still has the expiry that was copied. In the process that writes.</summary>
    public bool HasExpiryOf(in PinnedRecord pinned)
    {
        using var held = Hold(in pinned);
        return Volatile.Read(ref held.Record.Expiry) == Volatile.Read(ref pinned.Record.Expiry);
    }

    /// <summary>Forgets the hot copy of an entry whose expiry was changed.</summary>
    public void ForgetCopies(in PinnedRecord pinned) => hot?.Forget(XxHash64.Hash(pinned.Record.Key), pinned.Location);

    /// <summary>Forgets the hot copies of a segment. No lease of it is held, and no entry leads to it.</summary>
    public void ForgetCopies(int slot) => hot?.Forget(segments.LocationOf(slot, 0), segments.LocationOf(1, 0));

    // 0 when no entry of the first bucket has the tag.
    private long FirstLocation(ulong hash)
    {
        if (index.Published is not { } table)
        {
            return 0;
        }

        var word = table.FirstMatch(hash).Word;
        GC.KeepAlive(table);
        return IndexWord.HasTag(word, hash) ? IndexWord.Location(word) : 0;
    }

    // A file that cannot be mapped is an exception; the segment is not held then.
    private bool TryFollow(int slot, LeaseTicket ticket)
    {
        try
        {
            return segments.TryFollow(slot);
        }
        catch
        {
            leases.Undo(ticket);
            throw;
        }
    }

    // SAFETY: the lease keeps the room, which has MaxBytes, and the file of the staged chunks.
    private unsafe bool TryCopyStaged(long location, LeaseTicket ticket, out CacheRecord record, out bool isStaged)
    {
        isStaged = segments.Staged.Contains(location);
        record = default;
        if (!isStaged)
        {
            return false;
        }

        try
        {
            return segments.Staged.TryCopy(location, copies.RoomOf(leases.Table.CellOf(ticket), isNeeded: true), EntryCopies.MaxBytes, out record, out isStaged);
        }
        catch (OutOfMemoryException)
        {
            leases.Undo(ticket);
            throw;
        }
    }

    // As TryFollow: a file that cannot be read is an exception.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryCopy(int slot, long offset, LeaseTicket ticket, out CacheRecord record)
    {
        try
        {
            return TryReadCopy(slot, offset, ticket, out record);
        }
        catch
        {
            leases.Undo(ticket);
            throw;
        }
    }

    // False if it is too large, if its copy does not fit, or if its expiry was just being written.
    // SAFETY: the lease keeps the room, which has MaxBytes; both reads are bounded by it.
    private unsafe bool TryReadCopy(int slot, long offset, LeaseTicket ticket, out CacheRecord record)
    {
        record = default;
        var room = copies.RoomOf(leases.Table.CellOf(ticket), isNeeded: false);
        if (room is null)
        {
            return false;
        }

        var remaining = segments.SegmentBytes - offset;
        var usual = _usualBytes;
        var start = Stopwatch.GetTimestamp();
        var read = segments.ReadFile(slot, new Span<byte>(room, (int)Math.Min(Math.Clamp(usual + (usual / 4), MinCopied, EntryCopies.MaxBytes), remaining)), offset);
        Waits.Note(start);
        if (read == 0 || !CacheRecord.TryRead(room, Math.Min(remaining, EntryCopies.MaxBytes), out record))
        {
            return false;
        }

        // Reading twice is worse than copying a little too much.
        _usualBytes = usual + (((int)record.Bytes - usual) / 8);
        var rest = (int)record.Bytes - read;
        return (rest <= 0 || segments.ReadFile(slot, new Span<byte>(room + read, rest), offset + read) == rest) && ExpiryWord.TryRead(record.Expiry, out _);
    }
}
