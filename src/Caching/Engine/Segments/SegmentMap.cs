using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The segments as this process has mapped them. Only here and in <see cref="StagedChunks"/> does a location become an address. One in a segment stays valid while a lease holds the segment, and in the
/// thread that recycles it. Thread-safe.
/// </summary>
internal sealed class SegmentMap
{
    /// <summary>The first bytes of a record, which are mapped before its head is read.</summary>
    public const int HeadBytes = 64;

    private readonly Lock _mapping = new();
    private readonly CacheControl _control;
    private readonly bool _isReadOnly;
    private readonly nint[] _bases;
    private readonly MappedFile?[] _files;
    private readonly int[] _fileNumbers;

    // Earlier files of slots, which leases may hold until the cache is closed.
    private readonly List<MappedFile> _replaced = [];

    /// <param name="control">The control file.</param>
    /// <param name="memoryBytes">The bytes that may be mapped.</param>
    /// <param name="isReadOnly">Whether another process maps and replaces the files.</param>
    public SegmentMap(CacheControl control, long memoryBytes, bool isReadOnly)
    {
        _control = control;
        _isReadOnly = isReadOnly;
        _bases = new nint[control.SlotCount];
        _files = new MappedFile?[control.SlotCount];
        _fileNumbers = new int[control.SlotCount];
        SegmentBytes = control.SegmentBytes;
        RecordsEnd = DeadMarks.StartOf(SegmentBytes);
        SlotShift = BitOperations.Log2((ulong)control.SegmentBytes) - IndexWord.UnitShift;
        Memory = new ResidentMemory(_bases, SegmentBytes, RecordsEnd, memoryBytes);
        Staged = new StagedChunks(control);
    }

    public long SegmentBytes { get; }

    /// <summary>Gets the offset at which the records of a segment end.</summary>
    public long RecordsEnd { get; }

    /// <summary>Gets the most bytes of an entry that fits into a segment: key, value and tags together.</summary>
    public long MaxEntryBytes => RecordsEnd - SegmentHeader.Bytes - CacheRecord.MaxOverheadBytes;

    /// <summary>Gets the number of slots, mapped or not.</summary>
    public int Slots => _bases.Length;

    /// <summary>Gets the number of bits of a location below its slot.</summary>
    public int SlotShift { get; }

    public ResidentMemory Memory { get; }

    /// <summary>Gets the chunks whose records are not in their segments yet.</summary>
    public StagedChunks Staged { get; }

    public int SlotOf(long location) => (int)(location >> SlotShift);

    public long OffsetOf(long location) => (location << IndexWord.UnitShift) & (SegmentBytes - 1);

    public long LocationOf(int slot, long offset)
    {
        Debug.Assert(offset >= 0 && offset % RecordWord.Alignment == 0, "No record is at this offset.");
        return ((long)slot << SlotShift) | (offset >> IndexWord.UnitShift);
    }

    /// <summary>Determines whether there is such a slot, and it is mapped. In a process that only reads the mapping may be of an old file.</summary>
    public bool IsMapped(int slot) => (uint)slot < (uint)_bases.Length && Volatile.Read(ref _bases[slot]) != 0;

    /// <summary>Maps the file of a slot.</summary>
    /// <exception cref="FileNotFoundException">The file does not exist.</exception>
    /// <exception cref="InvalidDataException">The file is not as long as a segment.</exception>
    /// <exception cref="NotSupportedException">A newer program has written the records.</exception>
    // SAFETY: the file is mapped when its address is published, and stays mapped until Unmap or Release. It is as long as a segment when its header is read.
    public unsafe void Map(int slot)
    {
        lock (_mapping)
        {
            var number = Volatile.Read(ref _control.Slot(slot).File);
            if (_isReadOnly)
            {
                Staged.Follow();
            }

            var file = MappedFile.Open(
                CacheFiles.Segment(_control.Directory, slot), _isReadOnly ? FileAccess.Read : FileAccess.ReadWrite, isCollected: false);
            if (file.Length != SegmentBytes)
            {
                file.Dispose();
                throw new InvalidDataException($"'{file.Path}' has {file.Length} bytes instead of {SegmentBytes}.");
            }

            ref readonly var header = ref *(SegmentHeader*)file.Start;
            if (header.UnknownFeatures != 0 && header.IsOpen(slot))
            {
                var required = header.UnknownFeatures;
                file.Dispose();
                throw NewerFormat.OfFeatures(file.Path, required);
            }

            // A slot changes its file only when the disk budget was reduced and raised again, or when leases held all segments for a while.
            if (_files[slot] is { } replaced)
            {
                _replaced.Add(replaced);
                Memory.Forget(slot);
            }

            _files[slot] = file;
            Memory.Add(slot);
            Volatile.Write(ref _bases[slot], (nint)file.Start);
            ExpectReads(slot);
            Volatile.Write(ref _fileNumbers[slot], number);
        }
    }

    /// <summary>Maps the slot's current file, in a process that only reads. The process that writes has mapped its files: an entry that leads elsewhere is damaged.</summary>
    /// <returns>False when there is no such file.</returns>
    public bool TryFollow(int slot)
    {
        if (!_isReadOnly || IsCurrent(slot))
        {
            return IsMapped(slot);
        }

        try
        {
            lock (_mapping)
            {
                // Another thread may have mapped it by now, and two mappings would not be counted, nor both be released.
                if (!IsCurrent(slot))
                {
                    Map(slot);
                }
            }

            return true;
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            return false;
        }
    }

    // The number is read first, because the address is published before it.
    private bool IsCurrent(int slot) => Volatile.Read(ref _fileNumbers[slot]) == Volatile.Read(ref _control.Slot(slot).File) && IsMapped(slot);

    /// <summary>Unmaps the file of a slot. No lease of it is held, and no entry leads to it.</summary>
    public void Unmap(int slot)
    {
        Memory.Remove(slot);
        _files[slot]?.Dispose();
        _files[slot] = null;
    }

    /// <summary>Expects reads of single entries, in no order.</summary>
    // SAFETY: the range is that of the mapped file.
    public unsafe void ExpectReads(int slot)
    {
        if (LinuxKernel.IsSupported)
        {
            LinuxKernel.ReadRandomly(StartOf(slot), (nuint)SegmentBytes);
        }
    }

    /// <summary>Gets the header of a segment.</summary>
    // SAFETY: as WordAt; the header is shorter than any segment.
    public unsafe ref SegmentHeader Header(int slot)
    {
        Debug.Assert(IsMapped(slot), "The slot is not mapped.");
        Memory.Use(slot, 0, SegmentHeader.Bytes);
        return ref *(SegmentHeader*)_bases[slot];
    }

    /// <summary>Gets the state word at an offset.</summary>
    // SAFETY: the caller holds the segment by a lease or by its task; the assertion states the bound that each caller has checked.
    public unsafe ref ulong WordAt(int slot, long offset)
    {
        Debug.Assert(IsMapped(slot) && offset >= 0 && offset <= RecordsEnd - sizeof(ulong) && offset % sizeof(ulong) == 0, "The word is outside the records.");
        Memory.Use(slot, offset, sizeof(ulong));
        return ref *(ulong*)(_bases[slot] + (nint)offset);
    }

    /// <summary>Reads the record at an offset of a mapped segment, without its value. Its tags, which are at its end, may be read too.</summary>
    // SAFETY: the caller holds the segment; the record's lengths are checked against the rest of the records.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool TryRead(int slot, long offset, out CacheRecord record)
    {
        var remaining = RecordsEnd - offset;
        if (remaining <= 0)
        {
            record = default;
            return false;
        }

        Memory.Use(slot, offset, Math.Min(remaining, HeadBytes));
        if (!CacheRecord.TryRead((byte*)_bases[slot] + offset, remaining, out record))
        {
            return false;
        }

        Memory.Use(slot, offset, record.HeadBytes);
        if (record.HasTags)
        {
            const uint MostBytes = TagBlock.MaxBytes + RecordWord.Alignment;
            var bytes = Math.Min(record.Bytes, MostBytes);
            Memory.Use(slot, offset + record.Bytes - bytes, bytes);
        }

        return true;
    }

    /// <summary>Determines whether the head of a record is in memory, as far as this process, which writes, knows. It needs no lease.</summary>
    public bool IsHeadNear(long location)
    {
        var offset = OffsetOf(location);
        return Staged.Contains(location) || (Memory.TryFind(SlotOf(location), out var segment) && segment.IsUsed(offset) && segment.IsUsed(offset + HeadBytes - 1));
    }

    /// <summary>Reads bytes of a segment's file without touching the mapping.</summary>
    /// <returns>The number of bytes that were read; 0 when the segment is not mapped.</returns>
    public int ReadFile(int slot, Span<byte> destination, long offset) => _files[slot] is { } file ? file.Read(destination, offset) : 0;

    /// <summary>Determines whether the record at an offset is dead.</summary>
    // SAFETY: the caller holds the segment, and has found a record at the offset.
    public unsafe bool IsDead(int slot, long offset) => DeadMarks.IsSet(StartOf(slot), SegmentBytes, offset);

    /// <summary>Marks a record as dead, before its entry leaves it.</summary>
    // SAFETY: the entry leads to the segment, or the caller holds it; an offset from a location is below the segment's bytes.
    public unsafe void MarkDead(long location) => DeadMarks.Set(StartOf(SlotOf(location)), SegmentBytes, OffsetOf(location));

    /// <summary>Clears the mark of a record, when an index that an earlier process has left leads to it.</summary>
    // SAFETY: as IsDead.
    public unsafe void MarkAlive(int slot, long offset) => DeadMarks.Unset(StartOf(slot), SegmentBytes, offset);

    /// <summary>Clears the marks from an offset on, where no record is. Only the caller uses this part of the segment.</summary>
    // SAFETY: as IsDead; callers pass an offset of the segment.
    public unsafe void ClearMarks(int slot, long offset) => DeadMarks.Clear(StartOf(slot), SegmentBytes, offset);

    /// <summary>Prepares a free segment, which is written from its beginning to its end: pages of its file come many at a time, no record is marked as dead, and a walk ends at its beginning.</summary>
    // SAFETY: the caller is the only one that uses the free segment. The range is that of the mapped file.
    public unsafe void PrepareToFill(int slot)
    {
        if (LinuxKernel.IsSupported)
        {
            LinuxKernel.ReadInOrder(StartOf(slot), (nuint)SegmentBytes);
        }

        Populate(slot, RecordsEnd, SegmentBytes);
        ClearMarks(slot, 0);
        WordAt(slot, SegmentHeader.Bytes) = RecordWord.Free;
    }

    /// <summary>Reserves room for a record, and marks it as reserved.</summary>
    /// <param name="slot">The slot of a segment.</param>
    /// <param name="offset">The offset of the record, to which only the caller adds records.</param>
    /// <param name="bytes">The bytes of the record.</param>
    /// <param name="word">The state word that the record will have.</param>
    /// <param name="rest">In a lane: the bytes of its chunk after the record.</param>
    /// <param name="lane">The lane, or <see cref="WriteLanes.None"/>.</param>
    /// <param name="room">The result of <see cref="Stage"/> if the chunk is staged.</param>
    // SAFETY: the pool has checked that record and chunk end inside the segment, or inside the room of a staged chunk.
    public unsafe Reservation Reserve(int slot, long offset, uint bytes, ulong word, uint rest = 0, int lane = WriteLanes.None, nint room = 0)
    {
        Debug.Assert(offset >= SegmentHeader.Bytes && offset + bytes + rest <= RecordsEnd, "The record is outside the segment.");
        if (room == 0)
        {
            Memory.Use(slot, offset, Math.Min(bytes + RecordWord.HeaderBytes, RecordsEnd - offset));
        }

        var start = (byte*)(room == 0 ? _bases[slot] : room) + offset;
        if (rest != 0)
        {
            // The next record of the lane is probably as long. A locked instruction waits for all stores before it.
            CacheRecord.Prefetch(start + bytes + Bucket.Bytes, bytes);

            // A walk over the segment steps over the rest of the chunk.
            Volatile.Write(ref *(ulong*)(start + bytes), RecordWord.Compose(RecordWord.Reserved, owner: 0, rest));
        }
        else if (lane == WriteLanes.None && offset + bytes < RecordsEnd)
        {
            // A walk over the segment ends here, before the records of an earlier lap.
            *(ulong*)(start + bytes) = RecordWord.Free;
        }

        Volatile.Write(ref *(ulong*)start, RecordWord.Compose(RecordWord.Reserved, owner: 0, bytes));
        return new Reservation(start, slot, LocationOf(slot, offset), word, lane);
    }

    /// <summary>Maps the pages of a range that will be written to, all at once: a fault for each page costs more than the records in it.</summary>
    public void MapForWriting(int slot, long offset, long end)
    {
        Memory.Use(slot, offset, end - offset);
        Populate(slot, offset, end);
    }

    /// <summary>Reserves room for a chunk, or for its continuation.</summary>
    /// <param name="slot">The slot of the segment to whose end the chunk is added.</param>
    /// <param name="offset">The offset of the chunk's next record.</param>
    /// <param name="end">The new end of the chunk, and of the segment's records.</param>
    public void Extend(int slot, long offset, long end)
    {
        Debug.Assert(offset >= SegmentHeader.Bytes && offset < end && end <= RecordsEnd, "The chunk is outside the segment.");
        if (end < RecordsEnd)
        {
            WordAt(slot, end) = RecordWord.Free;
        }

        Volatile.Write(ref WordAt(slot, offset), RecordWord.Compose(RecordWord.Reserved, owner: 0, (uint)(end - offset)));
    }

    /// <summary>Reserves room for a chunk as <see cref="Extend"/> does, and begins it among the <see cref="Staged"/> ones.</summary>
    /// <returns>The address that the beginning of the segment would have.</returns>
    /// <exception cref="IOException">The disk failed; no chunk was begun.</exception>
    // SAFETY: only an address is calculated.
    public unsafe nint Stage(int lane, int slot, long offset, long end)
    {
        if (end < RecordsEnd)
        {
            WriteFile(slot, RecordWord.Free, end);
        }

        WriteFile(slot, RecordWord.Compose(RecordWord.Reserved, owner: 0, (uint)(end - offset)), offset);
        if (Staged.TryUse(lane))
        {
            Memory.GiveUp(Staged.RoomBytes);
        }

        return (nint)Staged.Begin(lane, LocationOf(slot, offset), end - offset) - (nint)offset;
    }

    /// <summary>Moves a staged chunk to its segment.</summary>
    public void MoveStaged(int lane, int slot, long offset, long bytes) => Staged.Move(lane, _files[slot]!, offset, bytes);

    /// <summary>Writes bytes of a segment's file without touching the mapping.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public void WriteFile(int slot, ReadOnlySpan<byte> source, long offset) => _files[slot]!.Write(source, offset);

    private void WriteFile(int slot, ulong word, long offset) => WriteFile(slot, MemoryMarshal.AsBytes(new ReadOnlySpan<ulong>(in word)), offset);

    /// <summary>Turns room into padding, which a walk over the segment skips.</summary>
    public void Pad(int slot, long offset, uint bytes) => Volatile.Write(ref WordAt(slot, offset), RecordWord.Compose(RecordWord.Padding, owner: 0, bytes));

    /// <summary>Begins to load the mark of a record that may be replaced into the processor's cache. It needs no lease.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    public unsafe void PrefetchMark(long location)
    {
        if (Memory.TryFind(SlotOf(location), out var segment))
        {
            segment.Prefetch(DeadMarks.OffsetOf(SegmentBytes, OffsetOf(location)), sizeof(ulong));
        }
    }

    /// <summary>Begins to load the head of a record that may be at an offset into the processor's cache.</summary>
    // SAFETY: a prefetch of memory that is not mapped does nothing.
    public unsafe void PrefetchHead(int slot, long offset) => ProcessorCache.Prefetch((byte*)_bases[slot] + offset, HeadBytes);

    /// <summary>Begins to read bytes from the disk, and does not wait for them.</summary>
    // SAFETY: the range is cut to the segment, which the caller holds.
    public unsafe void ReadAhead(int slot, long offset, long bytes)
    {
        Debug.Assert(offset >= 0 && offset + bytes <= SegmentBytes, "The bytes are outside the segment.");
        if (LinuxKernel.IsSupported)
        {
            var start = offset & -Environment.SystemPageSize;
            LinuxKernel.WillNeed((byte*)_bases[slot] + start, (nuint)(offset + bytes - start));
        }
    }

    // SAFETY: callers bound what they read by the segment.
    private unsafe byte* StartOf(int slot)
    {
        Debug.Assert(IsMapped(slot), "The slot is not mapped.");
        return (byte*)_bases[slot];
    }

    // SAFETY: callers have cut the range to the segment, which they write to.
    private unsafe void Populate(int slot, long offset, long end)
    {
        Debug.Assert(offset >= 0 && offset < end && end <= SegmentBytes, "The range is empty, or outside the segment.");
        if (LinuxKernel.IsSupported)
        {
            var start = offset & -Environment.SystemPageSize;
            LinuxKernel.PopulateForWriting(StartOf(slot) + start, (nuint)(end - start));
        }
    }

    /// <summary>Unmaps all files. No lease is held any more.</summary>
    public void Release()
    {
        Array.ForEach([.. _files, .. _replaced], static file => file?.Dispose());
        Staged.Dispose();
    }
}
