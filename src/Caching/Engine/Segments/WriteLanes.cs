using System.Diagnostics;
using System.Numerics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The lanes of a cache: one for each processor, rounded up to a power of two, but at most eight, so that most sets take one that no other thread uses; and one for entries that are carried over.
/// The rest of a lane's chunk has the state word of a reserved record, so a walk over the segment skips it, even after the process was killed. A walk skips all of a staged chunk until it is moved.
/// </summary>
/// <param name="segments">The segments.</param>
/// <param name="control">Gives the sequence numbers.</param>
internal sealed class WriteLanes(SegmentMap segments, CacheControl control)
{
    /// <summary>The number of a record outside the lanes.</summary>
    public const int None = -1;

    private const int MaxLanes = CacheControl.CountLanes - 1;

    // Lanes leave little unused at the end of a chunk.
    private const int RecordsPerChunk = 16;

    // Numbers that a lane takes at a time: a block begins after a multiple of them.
    private const int BlockShift = 8;
    private const uint SequenceBlock = 1 << BlockShift;

    // The last lane is for carried entries.
    private readonly WriteLane[] _lanes = new WriteLane[Math.Min((int)BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount), MaxLanes) + 1];

    /// <summary>Gets the bytes of a chunk.</summary>
    public long ChunkBytes => segments.Staged.ChunkBytes;

    /// <summary>Gets the number of the lane in which the thread that empties segments writes.</summary>
    public int Carry => _lanes.Length - 1;

    /// <summary>Gets the records that were published by sets.</summary>
    public long Sets => Sum(static (in WriteLane lane) => lane.Sets);

    /// <summary>Gets the bytes of the records that were reserved for sets.</summary>
    public long WrittenBytes => Sum(static (in WriteLane lane) => lane.WrittenBytes);

    private delegate long LaneFigure(in WriteLane lane);

    // Also the most bytes of a staged record: not more than EntryCopies.MaxBytes, because a read makes a copy of it.
    private long MostBytes => ChunkBytes / RecordsPerChunk;

    public ref WriteLane this[int lane] => ref _lanes[lane];

    /// <summary>Takes a lane for a record.</summary>
    /// <returns><see cref="None"/> when the record is too large for a lane, or other threads have all of them.</returns>
    public int TryTake(uint bytes)
    {
        if (bytes > MostBytes)
        {
            return None;
        }

        var first = Thread.GetCurrentProcessorId();
        for (var i = 0; i < Carry; i++)
        {
            var number = (first + i) & (Carry - 1);
            if (_lanes[number].TryTake())
            {
                return number;
            }
        }

        return None;
    }

    /// <summary>Determines whether the chunk of a lane that the caller has taken has room for a record.</summary>
    public bool HasRoom(int number, uint bytes)
    {
        ref var lane = ref _lanes[number];

        // A staged chunk takes no larger record, and none after it was moved.
        return lane.HasRoom(bytes) && (lane.Room == 0 || (bytes <= MostBytes && segments.Staged.HasChunk(number)));
    }

    /// <summary>Reserves room in a lane that the caller has taken, and that has room.</summary>
    public Reservation Reserve(int number, uint bytes, ulong word)
    {
        ref var lane = ref _lanes[number];
        var offset = lane.Position;
        lane.Use(bytes);
        return segments.Reserve(lane.Slot, offset, bytes, word, (uint)(lane.End - lane.Position), number, lane.Room);
    }

    /// <summary>Begins a chunk at the end of a segment, or continues the last one. Under the lock of the pool, in the thread that has taken the lane.</summary>
    /// <param name="number">The lane, whose earlier chunk is finished.</param>
    /// <param name="tail">The segment.</param>
    /// <param name="start">The offset of the next record: the end of the segment, or the position in its last chunk.</param>
    /// <param name="bytes">The bytes of a record that fits into the segment, for which the chunk has room.</param>
    /// <exception cref="IOException">The disk failed; no chunk was begun.</exception>
    public void Open(int number, ref SegmentTail tail, long start, uint bytes)
    {
        var end = Math.Min(Math.Max(tail.Position + ChunkBytes, start + bytes), segments.RecordsEnd);
        end -= end - start - bytes == RecordWord.Alignment ? RecordWord.Alignment : 0;

        // While memory is short, mapping the pages of a chunk would displace others, and costs more than writing it to the file. After a large record for which there was no segment,
        // the chunk that is continued may be nearly empty, and with its continuation longer than the room.
        var isStaged = segments.Memory.IsFull && bytes <= MostBytes && end - start <= segments.Staged.RoomBytes;
        var room = isStaged ? segments.Stage(number, tail.Slot, start, end) : 0;
        if (room == 0)
        {
            segments.Extend(tail.Slot, start, end);
        }

        _lanes[number].Begin(tail.Slot, start, end, room);
        tail.Position = end;
    }

    /// <summary>Maps the pages of a chunk that is not staged for writing, and those of the next one, whose first words are written under the lock of the pool.</summary>
    public void Map(int number)
    {
        ref var lane = ref _lanes[number];
        if (lane.Room == 0)
        {
            segments.MapForWriting(lane.Slot, lane.Position, Math.Min(lane.End + ChunkBytes, segments.RecordsEnd));
        }
    }

    /// <summary>Moves the chunk of a lane to its segment, with its rest as padding, if it is staged. In the thread that has taken the lane.</summary>
    /// <exception cref="IOException">The disk failed; the chunk stays staged.</exception>
    // SAFETY: the position is inside the room, and so is the word there, if there is a rest: it has at least 32 bytes.
    public unsafe void Finish(int number)
    {
        ref var lane = ref _lanes[number];
        if (!segments.Staged.HasChunk(number))
        {
            return;
        }

        var start = segments.Staged.OffsetOf(number, lane.Room);
        var rest = lane.End - lane.Position;
        if (rest != 0)
        {
            *(ulong*)(lane.Room + (nint)lane.Position) = RecordWord.Compose(RecordWord.Padding, owner: 0, (uint)rest);
        }

        segments.MoveStaged(number, lane.Slot, start, lane.Position - start + (rest == 0 ? 0 : sizeof(ulong)));
    }

    /// <summary>Gives up the rest of a lane's chunk: it becomes padding. Under the lock of the pool, in the thread that has taken the lane.</summary>
    /// <exception cref="IOException">The disk failed; the chunk stays staged.</exception>
    public void Close(int number)
    {
        ref var lane = ref _lanes[number];
        Finish(number);
        if (lane.Room == 0 && lane.Position < lane.End)
        {
            segments.Pad(lane.Slot, lane.Position, (uint)(lane.End - lane.Position));
        }

        lane.Begin(ControlHeader.NoSlot, 0, 0, room: 0);
    }

    /// <summary>Closes the lanes in a full segment. Under the lock of the pool.</summary>
    /// <returns>False when a thread is writing to one of them.</returns>
    /// <exception cref="IOException">The disk failed; a chunk stays staged, and its lane open.</exception>
    public bool TryLeave(int slot)
    {
        for (var number = 0; number < _lanes.Length; number++)
        {
            ref var lane = ref _lanes[number];
            if (lane.Slot != slot)
            {
                continue;
            }

            if (!lane.TryTake())
            {
                return false;
            }

            try
            {
                Close(number);
            }
            finally
            {
                lane.GiveBack();
            }
        }

        return true;
    }

    /// <summary>Takes all lanes for good, when their threads have given them back, and closes them.</summary>
    public void TakeAll()
    {
        for (var number = 0; number < _lanes.Length; number++)
        {
            var spin = new SpinWait();
            while (!_lanes[number].TryTake())
            {
                spin.SpinOnce();
            }

            try
            {
                Close(number);
            }
            catch (IOException)
            {
                // The disk failed. The chunk stays staged, and the next process that writes moves it.
            }
        }
    }

    /// <summary>Takes a sequence number for a record that is about to be committed, under the lock of its key.</summary>
    /// <param name="number">The lane of the record, or <see cref="None"/>.</param>
    /// <param name="above">The sequence number of the record that is replaced, or the last one of its block; 0 for none.</param>
    public ulong NextSequence(int number, ulong above)
    {
        if (number == None)
        {
            return TakeBlock();
        }

        // Numbers of a lane's block may be lower than those that other lanes have given since.
        ref var lane = ref _lanes[number];
        return lane.TryNextSequence(above, Volatile.Read(ref control.Header.ClearedSequence), out var sequence) ? sequence : lane.BeginSequence(TakeBlock(), SequenceBlock);
    }

    /// <summary>Gets the number of a sequence number's block.</summary>
    public static ulong BlockOf(ulong sequence) => (sequence - 1) >> BlockShift;

    /// <summary>Gets the last sequence number of the latest block whose number has these lowest bits. It is not below that of a record in such a block.</summary>
    public ulong EndOf(ushort block)
    {
        var latest = BlockOf(Volatile.Read(ref control.Header.Sequence));
        return (latest - (ushort)(latest - block) + 1) << BlockShift;
    }

    /// <summary>Continues after the sequence numbers of an earlier process. Called before any thread writes.</summary>
    public void Resume() => control.Header.Sequence = (control.Header.Sequence + SequenceBlock - 1) & ~(ulong)(SequenceBlock - 1);

    // The last number of a new block.
    private ulong TakeBlock() => Interlocked.Add(ref control.Header.Sequence, SequenceBlock);

    private long Sum(LaneFigure figure)
    {
        var sum = 0L;
        foreach (ref var lane in _lanes.AsSpan(0, Carry))
        {
            sum += figure(in lane);
        }

        return sum;
    }
}
