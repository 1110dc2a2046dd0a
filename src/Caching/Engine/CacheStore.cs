using System.Runtime.CompilerServices;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// The part of a cache that reads: the index, the mapped segments, and the leases of this process. Safe for all threads; reads take no lock.
/// </summary>
/// <remarks>
/// A read finds an entry, takes a lease of its segment, and looks whether the entry is still there. Who reuses a segment removes its entries first, fences all threads,
/// and then looks for leases. So either the read finds the entry gone, or the segment is not reused.
/// </remarks>
internal sealed unsafe partial class CacheStore : IDisposable
{
    // What one page fault maps is used at least.
    private const int HeadBytes = 64;

    // This part of the memory budget is for copies.
    private const int CopiedPart = 16;

    // And so many quarters are at most for copies of what is read much: they hold more of it than what is mapped does.
    private const int HotQuarters = 3;

    // Of so many entries that are read from the file one is kept: what is read much is kept soon, and what is read once seldom.
    private const int ReadsPerHotCopy = 4;

    // The least that is read first of a record that is copied.
    private const int MinCopied = 256;

    private readonly Lock _mapping = new();
    private readonly EntryCopies _copies;
    private readonly HotCopies? _hot;
    private readonly nint[] _bases;
    private readonly MappedFile?[] _files;
    private readonly int[] _fileNumbers;
    private readonly FileLease? _readerLease;
    private readonly bool _verifiesAlways;
    private readonly int _slotShift;
    private readonly long _segmentBytes;
    private readonly CurrentIndex _index;
    private bool _isReleased;
    private uint _copiedFromFile;
    private int _usualBytes = MinCopied;

    /// <param name="control">The control file.</param>
    /// <param name="options">The memory budget, the clock, and what is verified.</param>
    /// <param name="leases">The leases of this process.</param>
    /// <param name="readerLease">Given in a process that only reads: it says that the leases are those of somebody alive.</param>
    public CacheStore(CacheControl control, MessageCacheOptions options, LeaseTable leases, FileLease? readerLease = null)
    {
        Control = control;
        _index = new CurrentIndex(control, readerLease is not null);
        Clock = options.TimeProvider;
        Leases = leases;
        _readerLease = readerLease;
        _verifiesAlways = options.VerifyEveryRead || readerLease is not null;
        _bases = new nint[control.SlotCount];
        _files = new MappedFile?[control.SlotCount];
        _fileNumbers = new int[control.SlotCount];
        _segmentBytes = control.SegmentBytes;
        _slotShift = System.Numerics.BitOperations.Log2((ulong)control.SegmentBytes) - IndexWord.UnitShift;
        _copies = new EntryCopies(options.MemoryBytes / CopiedPart);
        Memory = new ResidentMemory(_bases, control.SegmentBytes, options.MemoryBytes - (options.MemoryBytes / CopiedPart));

        // A process that only reads would not hear of what has to be forgotten.
        _hot = readerLease is null ? new HotCopies(options.MemoryBytes / 4 * HotQuarters, leases, Memory) : null;
    }

    public CacheControl Control { get; }

    public TimeProvider Clock { get; }

    public LeaseTable Leases { get; }

    public ResidentMemory Memory { get; }

    /// <summary>Bytes of segments in memory, mapped or copied.</summary>
    public long MemoryBytes => Memory.Bytes + _copies.Bytes + (_hot?.Bytes ?? 0);

    public CacheCounters Counters { get; } = new();

    /// <summary>The one who writes, if that is this process.</summary>
    public CacheWriter? Writer { get; set; }

    public bool IsReadOnly => _readerLease is not null;

    /// <summary>The store is disposed.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>The index. Setting it publishes it to the readers of this process.</summary>
    /// <exception cref="ObjectDisposedException">The store is disposed.</exception>
    public IndexTable Table
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _index.Table;
        set => _index.Publish(value);
    }

    /// <summary>Bytes of the index file.</summary>
    public long IndexBytes => _index.Bytes;

    public int SlotOf(long location) => (int)(location >> _slotShift);

    public long OffsetOf(long location) => (location << IndexWord.UnitShift) & (_segmentBytes - 1);

    public long LocationOf(int slot, long offset) => ((long)slot << _slotShift) | (offset >> IndexWord.UnitShift);

    /// <summary>The first byte of a segment that is mapped.</summary>
    public byte* Segment(int slot) => (byte*)_bases[slot];

    /// <summary>The header of a segment that is mapped.</summary>
    public SegmentHeader* HeaderOf(int slot)
    {
        Memory.Use(slot, Segment(slot), SegmentHeader.Bytes);
        return (SegmentHeader*)_bases[slot];
    }

    /// <summary>Maps the file of a slot.</summary>
    public void Map(int slot)
    {
        lock (_mapping)
        {
            var number = Volatile.Read(ref Control.Slot(slot).File);
            var file = MappedFile.Open(
                CacheFiles.Segment(Control.Directory, slot), IsReadOnly ? FileAccess.Read : FileAccess.ReadWrite, isCollected: false);
            if (file.Length != Control.SegmentBytes)
            {
                file.Dispose();
                throw new InvalidDataException($"'{file.Path}' has {file.Length} bytes instead of {Control.SegmentBytes}.");
            }

            if (LinuxKernel.IsSupported)
            {
                LinuxKernel.ReadRandomly(file.Start, (nuint)file.Length);
            }

            // An older mapping stays: a lease may be in it. Slots change their files only when the disk budget became smaller and larger again.
            _files[slot] = file;
            _fileNumbers[slot] = number;
            Memory.Add(slot);
            Volatile.Write(ref _bases[slot], (nint)file.Start);
        }
    }

    /// <summary>Unmaps the file of a slot that nobody can be in.</summary>
    public void Unmap(int slot)
    {
        Memory.Remove(slot);
        _files[slot]?.Dispose();
        _files[slot] = null;
    }

    /// <summary>Finds the record of a key and takes a lease of it, whatever state it is in.</summary>
    public bool TryPin(ReadOnlySpan<byte> key, ulong hash, out PinnedRecord pinned)
    {
        while (true)
        {
            var table = Table;
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

                Undo(pinned.Ticket);
            }

            GC.KeepAlive(table);
            if (!wasMoved)
            {
                pinned = default;
                return false;
            }
        }
    }

    /// <summary>Takes a lease of the record that an entry leads to.</summary>
    /// <param name="table">The index.</param>
    /// <param name="cell">The entry.</param>
    /// <param name="word">What it held.</param>
    /// <param name="pinned">The record.</param>
    /// <param name="wasMoved">The entry does not lead there any more.</param>
    /// <returns>False when it was moved, or when no record can be there.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPin(IndexTable table, ulong* cell, ulong word, out PinnedRecord pinned, out bool wasMoved)
    {
        var location = IndexWord.Location(word);
        var slot = SlotOf(location);
        pinned = default;
        if (slot >= _bases.Length)
        {
            wasMoved = false;
            return false;
        }

        var ticket = Leases.Take(slot);
        wasMoved = IndexWord.Identity(Volatile.Read(ref *cell)) != IndexWord.Identity(word) || !_index.IsCurrent(table);
        if (!wasMoved && IsMapped(slot))
        {
            var offset = OffsetOf(location);
            var record = default(CacheRecord);
            var isCopy = Memory.IsCopyBetter(slot, offset) && TryCopy(slot, offset, ticket, out record);
            if (isCopy || TryReadMapped(slot, offset, out record))
            {
                pinned = new PinnedRecord(ticket, record, isCopy, table, cell, word);
                return true;
            }
        }

        Undo(ticket);
        return false;
    }

    /// <summary>Forgets copies of an entry whose expiry was changed.</summary>
    public void ForgetCopies(in PinnedRecord pinned) => _hot?.Forget(XxHash64.Hash(pinned.Record.Key), pinned.Location);

    /// <summary>Forgets copies of the entries of a segment that nobody leases and nothing leads to.</summary>
    public void ForgetCopies(int slot) => _hot?.Forget(LocationOf(slot, 0), LocationOf(slot + 1, 0));

    /// <summary>The record itself, of which there may be a copy.</summary>
    public CacheRecord Original(in PinnedRecord pinned) =>
        pinned.IsCopy && TryReadMapped(SlotOf(pinned.Location), OffsetOf(pinned.Location), out var record) ? record : pinned.Record;

    /// <summary>Unmaps everything, at once or when the last lease is given back.</summary>
    public void Dispose()
    {
        IsClosed = true;
        _index.Close();
        Interlocked.MemoryBarrierProcessWide();
        ReleaseUnlessHeld();
    }

    /// <summary>Gives a lease back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(LeaseTicket ticket)
    {
        LeaseTable.Return(ticket);
        if (IsClosed)
        {
            ReleaseUnlessHeld();
        }
    }

    /// <summary>Gives a lease back that no user got to see, and does not count it.</summary>
    public void Undo(LeaseTicket ticket)
    {
        LeaseTable.Undo(ticket);
        if (IsClosed)
        {
            ReleaseUnlessHeld();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryReadMapped(int slot, long offset, out CacheRecord record)
    {
        var start = Segment(slot) + offset;
        var remaining = Control.SegmentBytes - offset;
        Memory.Use(slot, start, Math.Min(remaining, HeadBytes));
        if (!CacheRecord.TryRead(start, remaining, out record))
        {
            return false;
        }

        Memory.Use(slot, start, record.Value - start);
        return true;
    }

    // False when it is too large, when there is no room for a copy, or when its expiry was just being written.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryCopy(int slot, long offset, LeaseTicket ticket, out CacheRecord record)
    {
        record = default;
        var room = _copies.RoomOf(Leases.CellOf(ticket));
        if (room is null || _files[slot] is not { } file)
        {
            return false;
        }

        var remaining = Control.SegmentBytes - offset;
        var usual = _usualBytes;
        var read = file.Read(new Span<byte>(room, (int)Math.Min(Math.Clamp(usual + (usual / 4), MinCopied, EntryCopies.MaxBytes), remaining)), offset);
        if (!CacheRecord.TryRead(room, Math.Min(remaining, EntryCopies.MaxBytes), out record))
        {
            return false;
        }

        // Reading twice is worse than copying a little too much.
        _usualBytes = usual + (((int)record.Bytes - usual) / 8);
        var rest = (int)record.Bytes - read;
        return (rest <= 0 || file.Read(new Span<byte>(room + read, rest), offset + read) == rest) && ExpiryWord.TryRead(record.Expiry, out _);
    }

    private bool IsMapped(int slot)
    {
        if (_bases[slot] != 0 && (!IsReadOnly || _fileNumbers[slot] == Volatile.Read(ref Control.Slot(slot).File)))
        {
            return true;
        }

        // The writer maps what it opens; an entry that leads elsewhere is damaged.
        if (!IsReadOnly)
        {
            return false;
        }

        try
        {
            Map(slot);
            return true;
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            return false;
        }
    }

    private void ReleaseUnlessHeld()
    {
        if (Leases.IsAnyHeld || Interlocked.Exchange(ref _isReleased, true))
        {
            return;
        }

        foreach (var file in _files)
        {
            file?.Dispose();
        }

        _copies.GiveBack();
        _hot?.Dispose();
        _readerLease?.Dispose();
    }
}
