using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The chunks whose records are not in their segments yet, in a mapped file. When memory is short, a lane writes its records here, where the pages stay mapped, and each full chunk goes to its segment
/// by one write to the file. The location of a record is always the one in its segment. The first words say which locations are here; until a word is cleared the bytes of the segment do not count.
/// <code>
///    0  u64 magic
///   64  a u64 for each lane, 0 for none: bits 0-13 length of its chunk, bits 16-51 location of its chunk, both in units of 16 bytes
/// 4096  for each lane the bytes of its chunk, in a room of twice the usual length
/// </code>
/// Readers copy a record, and look at the word again. The process that writes trusts words of its own, which no other process changes. Thread-safe; the leases of readers keep the file mapped.
/// </summary>
internal sealed class StagedChunks : IDisposable
{
    private const int Lanes = CacheControl.CountLanes;
    private const long MaxChunkBytes = 64 * 1024;

    // Lanes leave little unused at the ends of the segment that is filled.
    private const int ChunksPerSegment = 64;

    private const ulong FileMagic = 0x31475453_43534D42; // "BMSCSTG1"
    private const int WordsOffset = 64;
    private const int RoomsOffset = 4096;
    private const int LocationShift = 16;
    private const ulong LengthMask = (1UL << 14) - 1;
    private const ulong LeavingFlag = 1UL << 15;

    private readonly CacheControl _control;

    // Of each lane the threads that hold its chunk.
    private readonly int[] _holders = new int[Lanes];

    // With the flag of a chunk that is going to its segment.
    private readonly ulong[] _own = new ulong[Lanes];
    private bool _isOwner;
    private MappedFile? _file;

    // The lanes whose words are looked at: in the process that writes, those up to the last one that has had a chunk here.
    private int _searchedLanes;

    // A bit for each lane whose room is counted.
    private uint _used;

    public StagedChunks(CacheControl control)
    {
        _control = control;
        ChunkBytes = Math.Min(MaxChunkBytes, control.SegmentBytes / ChunksPerSegment);
        RoomBytes = 2 * ChunkBytes;
    }

    /// <summary>Gets the usual bytes of a chunk.</summary>
    public long ChunkBytes { get; }

    /// <summary>Gets the most bytes of a chunk.</summary>
    public long RoomBytes { get; }

    /// <summary>Opens the file in the process that writes, unless it is open.</summary>
    /// <returns>False if there is none, or it is damaged.</returns>
    public bool TryOpen() => _file is not null || TryOpen(FileAccess.ReadWrite);

    /// <summary>Opens the file, and creates it if there is none. Called by the process that writes, before it maps a segment.</summary>
    /// <exception cref="DiskFullException">The disk has no room for the file.</exception>
    /// <exception cref="IOException">The file could not be created, or not be opened.</exception>
    // SAFETY: the new file has as many bytes as were asked for.
    public unsafe void OpenOrCreate()
    {
        if (!TryOpen())
        {
            var path = CacheFiles.Staged(_control.Directory);
            CacheFiles.TryDelete(path);
            MappedFile.Create(path, FileBytes, _control.Permissions, CacheFiles.UnfinishedSuffix, static file => *(ulong*)file.Start = FileMagic);
            if (!TryOpen())
            {
                throw new IOException($"'{path}' could not be opened after it was created.");
            }
        }
    }

    /// <summary>Opens the file of another process, unless it is open or there is none. Called before a segment is mapped.</summary>
    public void Follow() => _ = _file is not null || TryOpen(FileAccess.Read);

    /// <summary>Determines whether the record at a location to which the index leads is here. If it is not, it is in its segment. In a process that only reads, the caller has a lease.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Contains(long location) => Volatile.Read(ref _searchedLanes) != 0 && LaneOf(location, out _) >= 0;

    /// <summary>Copies the record at a location if it is here.</summary>
    /// <param name="location">The location of a record. The caller has a lease of its segment, or has mapped it alone.</param>
    /// <param name="destination">Memory, aligned to 16 bytes. If the record is here, the first word becomes its state word, whatever the result is.</param>
    /// <param name="capacity">Its bytes: at least <see cref="EntryCopies.MaxBytes"/>, or large records seem damaged.</param>
    /// <param name="record">The copy, which is valid as long as the destination.</param>
    /// <param name="isHere">Whether the record is here.</param>
    /// <returns>False if it is not here, or does not fit, or is damaged.</returns>
    // SAFETY: all reads are inside the room, and all writes inside the destination, whatever the bytes say.
    public unsafe bool TryCopy(long location, byte* destination, long capacity, out CacheRecord record, out bool isHere)
    {
        while (LaneOf(location, out var word) is >= 0 and var lane)
        {
            var start = AddressOf(lane, word, location, out var remaining);
            var state = Volatile.Read(ref *(ulong*)start);
            var bytes = Math.Min(Math.Min(RecordWord.Bytes(state), remaining), capacity);
            if (bytes >= CacheRecord.LeastBytes)
            {
                new ReadOnlySpan<byte>(start, (int)bytes).CopyTo(new Span<byte>(destination, (int)bytes));

                // Another thread may change the expiry at the same time.
                CacheRecord.ExpiryOf(destination) = Volatile.Read(ref CacheRecord.ExpiryOf(start));
            }

            *(ulong*)destination = state;
            Volatile.ReadBarrier();
            if (IsStill(lane, word))
            {
                isHere = true;
                record = default;
                return bytes >= CacheRecord.LeastBytes && CacheRecord.TryRead(destination, bytes, out record);
            }
        }

        isHere = false;
        record = default;
        return false;
    }

    /// <summary>Keeps the chunk of a location here, so that the expiry of the record can be changed, or it can be read without a copy.</summary>
    /// <remarks>Only in the process that writes, and for a few instructions: the thread that moves the chunk waits for <see cref="Release"/>.</remarks>
    /// <param name="location">The location of a record to which the index leads.</param>
    /// <param name="hold">The record. If the result is true, <see cref="Release"/> must be called.</param>
    /// <returns>False if the record is not here: it is in its segment.</returns>
    // SAFETY: the room stays that of the chunk while it is held.
    public unsafe bool TryHold(long location, out StagedHold hold)
    {
        var spin = new SpinWait();
        while (LaneOf(location, out var word) is >= 0 and var lane)
        {
            // Either this thread sees that the chunk is leaving, or the thread that moves it sees this one.
            Interlocked.Increment(ref _holders[lane]);
            if (WordOf(lane) == (word & ~LeavingFlag))
            {
                var start = AddressOf(lane, word, location, out var remaining);
                hold = new StagedHold(lane, CacheRecord.TryRead(start, remaining, out var record) ? record : null);
                return true;
            }

            Interlocked.Decrement(ref _holders[lane]);
            spin.SpinOnce(sleep1Threshold: -1);
        }

        hold = default;
        return false;
    }

    /// <summary>Lets the chunk go to its segment.</summary>
    public void Release(StagedHold hold) => Interlocked.Decrement(ref _holders[hold.Lane]);

    /// <summary>Begins a chunk, in the thread that has taken the lane. From now on its locations are here.</summary>
    /// <param name="lane">The lane, whose earlier chunk has left.</param>
    /// <param name="location">The location of the chunk.</param>
    /// <param name="bytes">Its bytes, at most <see cref="RoomBytes"/>.</param>
    /// <returns>The first byte, whose state word is that of a reserved record.</returns>
    // SAFETY: the room has the bytes of the chunk, and no other thread writes to it.
    public unsafe byte* Begin(int lane, long location, long bytes)
    {
        Debug.Assert(WordOf(lane) == 0 && bytes > 0 && bytes <= RoomBytes, "The chunk does not fit, or the earlier one has not left.");
        var room = RoomOf(lane);

        // Readers of the earlier chunk find its word cleared before they find other bytes.
        Volatile.WriteBarrier();
        Volatile.Write(ref *(ulong*)room, RecordWord.Compose(RecordWord.Reserved, owner: 0, (uint)bytes));
        Publish(lane, ((ulong)location << LocationShift) | (ulong)(bytes >> IndexWord.UnitShift));
        return room;
    }

    /// <summary>Counts the room of a lane as memory of this process. Under the lock of the pool, before the lane begins a chunk.</summary>
    /// <returns>False if it was counted before.</returns>
    public bool TryUse(int lane)
    {
        var isNew = (_used & (1u << lane)) == 0;
        if (isNew)
        {
            _used |= 1u << lane;
            _searchedLanes = Math.Max(_searchedLanes, lane + 1);
        }

        return isNew;
    }

    /// <summary>Determines whether a lane has a chunk here.</summary>
    public bool HasChunk(int lane) => _own[lane] != 0;

    /// <summary>Gets the offset of a lane's chunk in its segment.</summary>
    /// <param name="lane">The lane.</param>
    /// <param name="segment">The address that the beginning of the segment would have.</param>
    // SAFETY: only addresses are subtracted.
    public unsafe long OffsetOf(int lane, nint segment) => (nint)RoomOf(lane) - segment;

    /// <summary>Moves a chunk to its segment, in the thread that has taken the lane, once no thread holds it.</summary>
    /// <param name="lane">The lane.</param>
    /// <param name="segment">The file of the segment.</param>
    /// <param name="offset">The offset of the chunk in it.</param>
    /// <param name="bytes">The bytes to write.</param>
    /// <exception cref="IOException">The disk failed; the chunk stays here.</exception>
    // SAFETY: the bytes are inside the room. No thread changes them: records are added only by this one, and expiries only by threads that hold the chunk.
    public unsafe void Move(int lane, MappedFile segment, long offset, long bytes)
    {
        Debug.Assert(bytes <= RoomBytes, "The bytes are outside the room.");
        var word = _own[lane];
        Interlocked.Exchange(ref _own[lane], word | LeavingFlag);
        var spin = new SpinWait();
        while (Volatile.Read(ref _holders[lane]) != 0)
        {
            spin.SpinOnce(sleep1Threshold: -1);
        }

        try
        {
            segment.Write(new ReadOnlySpan<byte>(RoomOf(lane), (int)bytes), offset);
            word = 0;
        }
        finally
        {
            Publish(lane, word);
        }
    }

    /// <summary>Determines whether a process has left a chunk in a lane when it was killed, even if it is damaged.</summary>
    public bool IsLeftIn(int lane) => FileWordOf(lane) != 0;

    /// <summary>Gets the chunk that a process has left in a lane when it was killed.</summary>
    /// <param name="lane">The lane.</param>
    /// <param name="location">The location of the chunk.</param>
    /// <returns>Its bytes; none if the lane has no chunk, or a damaged one.</returns>
    // SAFETY: the bytes of the chunk are compared with those of the room, and each state word with the rest of the chunk.
    public unsafe ReadOnlySpan<byte> LeftIn(int lane, out long location)
    {
        var word = FileWordOf(lane);
        location = LocationOf(word);
        var bytes = BytesOf(word);
        if (bytes == 0 || bytes > RoomBytes)
        {
            return default;
        }

        // The state words lead from record to record, and to the end of the chunk.
        var position = 0L;
        while (position < bytes)
        {
            var state = *(ulong*)(RoomOf(lane) + position);
            if (RecordWord.State(state) is RecordWord.Free or > RecordWord.Padding || !RecordWord.HasValidLength(state, bytes - position))
            {
                return default;
            }

            position += RecordWord.Bytes(state);
        }

        return new ReadOnlySpan<byte>(RoomOf(lane), (int)bytes);
    }

    /// <summary>Forgets all chunks. Their records are in the segments, or are lost.</summary>
    public void Clear()
    {
        for (var lane = 0; lane < Lanes; lane++)
        {
            Publish(lane, 0);
        }
    }

    /// <summary>Unmaps the file. No thread reads or writes it any more.</summary>
    public void Dispose() => _file?.Dispose();

    private long FileBytes => RoomsOffset + (Lanes * RoomBytes);

    // SAFETY: its length is checked before it is used: words and rooms are inside.
    private unsafe bool TryOpen(FileAccess access)
    {
        MappedFile file;
        try
        {
            file = MappedFile.Open(CacheFiles.Staged(_control.Directory), access);
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            return false;
        }

        if (file.Length != FileBytes || *(ulong*)file.Start != FileMagic)
        {
            file.Dispose();
            return false;
        }

        _file = file;
        _isOwner = access != FileAccess.Read;
        Volatile.Write(ref _searchedLanes, _isOwner ? 0 : Lanes);
        return true;
    }

    // -1 for none. A damaged word may lead to other bytes of its room, and never outside it.
    private int LaneOf(long location, out ulong word)
    {
        var lanes = Volatile.Read(ref _searchedLanes);
        for (var lane = 0; lane < lanes; lane++)
        {
            word = WordOf(lane);
            if ((ulong)(location - LocationOf(word)) < (word & LengthMask) && BytesOf(word) <= RoomBytes)
            {
                return lane;
            }
        }

        word = 0;
        return -1;
    }

    private bool IsStill(int lane, ulong word) => ((WordOf(lane) ^ word) & ~LeavingFlag) == 0;

    // SAFETY: the location is in the chunk, which is not longer than the room.
    private unsafe byte* AddressOf(int lane, ulong word, long location, out long remaining)
    {
        var offset = (location - LocationOf(word)) << IndexWord.UnitShift;
        remaining = BytesOf(word) - offset;
        return RoomOf(lane) + offset;
    }

    private static long LocationOf(ulong word) => (long)(word >> LocationShift);

    private static long BytesOf(ulong word) => (long)(word & LengthMask) << IndexWord.UnitShift;

    private ulong WordOf(int lane) => _isOwner ? Volatile.Read(ref _own[lane]) : FileWordOf(lane);

    // SAFETY: TryOpen has checked the length of the file; there are as many words and rooms as lanes.
    private unsafe ulong FileWordOf(int lane) => Volatile.Read(ref ((ulong*)(_file!.Start + WordsOffset))[lane]);

    // SAFETY: as FileWordOf.
    private unsafe void Publish(int lane, ulong word)
    {
        Volatile.Write(ref ((ulong*)(_file!.Start + WordsOffset))[lane], word);
        Volatile.Write(ref _own[lane], word);
    }

    // SAFETY: as FileWordOf.
    private unsafe byte* RoomOf(int lane) => _file!.Start + RoomsOffset + (lane * RoomBytes);
}
