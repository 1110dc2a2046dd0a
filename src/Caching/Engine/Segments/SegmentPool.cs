using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Reserves room at the ends of two segments: the active one for new entries, and the one for entries that are carried over when a segment is recycled. Small new entries are written in lanes,
/// each with a chunk of the active segment, and carried ones in a lane of their own: they take the lock of the pool only for the next chunk.
/// A full one is replaced by a free segment. The last free one is for entries that are carried over, so a set waits for the worker when there is no other. Thread-safe.
/// </summary>
internal sealed class SegmentPool
{
    // A disk with room for fewer segments leaves none to carried entries.
    private const int FewestToCarry = 4;

    private readonly object _gate = new();
    private readonly SegmentMap _segments;
    private readonly CacheControl _control;
    private readonly SegmentBook _book;
    private readonly WriteLanes _lanes;
    private readonly int[] _writers;
    private readonly FreeSegments _free;
    private readonly Action _wakeWorker;
    private SegmentTail _active = new(isCarried: false);
    private SegmentTail _carry = new(isCarried: true);
    private long _written;
    private int _existing;

    public SegmentPool(SegmentMap segments, CacheControl control, SegmentBook book, MessageCacheOptions options, Action wakeWorker)
    {
        _segments = segments;
        _control = control;
        _book = book;
        _lanes = new WriteLanes(segments, control);
        _writers = new int[_control.SlotCount];
        _free = new FreeSegments(_gate, control.Directory, options.SegmentTimeout, wakeWorker);
        _wakeWorker = wakeWorker;
    }

    /// <summary>Gets the free segments.</summary>
    public FreeSegments Free => _free;

    /// <summary>Gets the bytes of the records that were reserved for sets.</summary>
    public long WrittenBytes => Volatile.Read(ref _written) + _lanes.WrittenBytes;

    /// <summary>Gets the lanes, which give sequence numbers.</summary>
    public WriteLanes Lanes => _lanes;

    /// <summary>Gets the bytes that can surely be carried over.</summary>
    public long RoomToCarry
    {
        get
        {
            lock (_gate)
            {
                return !_free.IsEmpty ? _segments.RecordsEnd - SegmentHeader.Bytes : _carry.Slot == ControlHeader.NoSlot ? 0 : _segments.RecordsEnd - StartInCarry;
            }
        }
    }

    // The lane's chunk is always the last one of the segment, and is continued.
    private long StartInCarry => _lanes[_lanes.Carry] is var lane && lane.Slot == ControlHeader.NoSlot ? _carry.Position : lane.Position;

    private int KeptToCarry => _existing < FewestToCarry ? 0 : 1;

    /// <summary>Continues at the ends of the segments to which an earlier process wrote. Called before any thread writes.</summary>
    public void Resume(IEnumerable<int> free)
    {
        foreach (var slot in free)
        {
            _free.Add(slot);
        }

        Resume(ref _active, _control.Header.ActiveSlot);
        if (_control.Header.CarrySlot != _active.Slot)
        {
            Resume(ref _carry, _control.Header.CarrySlot);
        }

        NoteTails();
    }

    private void Resume(ref SegmentTail tail, int slot)
    {
        tail.Resume(slot, EndOf(slot));
        if (tail.Slot != ControlHeader.NoSlot)
        {
            _book.Resume(tail.Slot);

            // After a crash of the machine there may be marks of records that the system has not written.
            _segments.ClearMarks(tail.Slot, tail.Position);
        }
    }

    /// <summary>Reserves room for a record. The segment is not recycled before <see cref="Finish"/>.</summary>
    /// <exception cref="DiskFullException">There is no free segment, and no room for a new one.</exception>
    /// <exception cref="TimeoutException">All segments are held by leases.</exception>
    /// <exception cref="IOException">A full chunk could not be written to its segment: the disk failed.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public Reservation Reserve(uint bytes, ulong flags)
    {
        var number = _lanes.TryTake(bytes);
        if (number == WriteLanes.None)
        {
            return ReserveAlone(bytes, flags);
        }

        if (!_lanes.HasRoom(number, bytes))
        {
            Refill(number, bytes);
        }

        return _lanes.Reserve(number, bytes, WordOf(bytes, flags));
    }

    // In a thread that has taken the lane.
    private void Refill(int number, uint bytes)
    {
        ref var lane = ref _lanes[number];
        var isFilled = false;
        try
        {
            // Outside the lock, because it writes the whole chunk.
            _lanes.Finish(number);
            lock (_gate)
            {
                // A chunk at the end of the segment is continued.
                var start = lane.Position;
                if (_free.IsClosed || lane.Slot == ControlHeader.NoSlot || lane.Slot != _active.Slot || lane.End != _active.Position || !Fits(in _active, bytes))
                {
                    // Before it waits, so that the thread that empties segments does not wait for this one.
                    _lanes.Close(number);
                    AwaitActive(bytes);
                    start = _active.Position;
                }

                _lanes.Open(number, ref _active, start, bytes);
                isFilled = true;
            }

            // Outside the lock.
            _lanes.Map(number);
        }
        finally
        {
            if (!isFilled)
            {
                lane.GiveBack();
            }
        }
    }

    private bool TryRefillCarry(uint bytes)
    {
        _lanes.Finish(_lanes.Carry);
        lock (_gate)
        {
            if (_carry.Slot == ControlHeader.NoSlot || StartInCarry + bytes > _segments.RecordsEnd)
            {
                if (_free.IsEmpty)
                {
                    return false;
                }

                _lanes.Close(_lanes.Carry);
                Open(ref _carry);
            }

            _lanes.Open(_lanes.Carry, ref _carry, StartInCarry, bytes);
        }

        _lanes.Map(_lanes.Carry);
        return true;
    }

    private Reservation ReserveAlone(uint bytes, ulong flags)
    {
        lock (_gate)
        {
            AwaitActive(bytes);
            _written += bytes;
            return Take(ref _active, bytes, flags);
        }
    }

    /// <summary>Reserves room for a record that is carried over; never waits. In the thread that empties segments.</summary>
    /// <returns>False when there is no room.</returns>
    /// <exception cref="IOException">The disk failed.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public bool TryReserveCarry(uint bytes, ulong flags, out Reservation reservation)
    {
        ref var lane = ref _lanes[_lanes.Carry];
        if (!lane.TryTake())
        {
            throw _free.Closed();
        }

        var hasRoom = false;
        try
        {
            hasRoom = _lanes.HasRoom(_lanes.Carry, bytes) || TryRefillCarry(bytes);
        }
        finally
        {
            if (!hasRoom)
            {
                lane.GiveBack();
            }
        }

        reservation = hasRoom ? _lanes.Reserve(_lanes.Carry, bytes, WordOf(bytes, flags)) : default;
        return hasRoom;
    }

    /// <summary>Ends a reservation. A record that was not published becomes padding.</summary>
    public void Finish(in Reservation reservation, bool isPublished)
    {
        if (!isPublished)
        {
            reservation.Abandon();
        }

        if (reservation.Lane != WriteLanes.None)
        {
            ref var lane = ref _lanes[reservation.Lane];
            if (isPublished)
            {
                lane.CountSet();
            }

            lane.GiveBack();
            return;
        }

        var writers = Interlocked.Decrement(ref _writers[reservation.Slot]);
        Debug.Assert(writers >= 0, "A reservation is finished once.");
    }

    /// <summary>Determines whether a segment is full, and threads no longer write to it: all of its records are in its file.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public bool IsSettled(int slot)
    {
        lock (_gate)
        {
            return slot != _active.Slot && slot != _carry.Slot && Volatile.Read(ref _writers[slot]) == 0 && _lanes.TryLeave(slot);
        }
    }

    /// <summary>Notes the number of segments that have a file.</summary>
    public void NoteExisting(int segments)
    {
        lock (_gate)
        {
            _existing = segments;
        }
    }

    /// <summary>Refuses segments from now on: threads that wait for one throw.</summary>
    public void Refuse()
    {
        lock (_gate)
        {
            _free.Close();
        }
    }

    /// <summary>Refuses reservations from now on, and waits until the open ones are finished.</summary>
    public void Close()
    {
        Refuse();
        _lanes.TakeAll();
        var spin = new SpinWait();
        while (Array.Exists(_writers, static count => Volatile.Read(ref count) != 0))
        {
            spin.SpinOnce();
        }
    }

    private bool Fits(in SegmentTail tail, uint bytes)
    {
        _free.ThrowIfClosed();
        return tail.Slot != ControlHeader.NoSlot && tail.Position + bytes <= _segments.RecordsEnd;
    }

    private static ulong WordOf(uint bytes, ulong flags) => RecordWord.Compose(RecordWord.Committed, owner: 0, bytes) | flags;

    // Waits until the active segment has room.
    private void AwaitActive(uint bytes)
    {
        while (!Fits(in _active, bytes))
        {
            _free.Await(KeptToCarry);

            // Another thread may have opened a segment while this one waited.
            if (!Fits(in _active, bytes))
            {
                Open(ref _active);
            }
        }
    }

    private Reservation Take(ref SegmentTail tail, uint bytes, ulong flags)
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Two records would get the same room.");
        if (tail.Position + bytes + RecordWord.HeaderBytes > tail.MappedEnd)
        {
            tail.MappedEnd = Math.Min(tail.Position + bytes + _lanes.ChunkBytes, _segments.RecordsEnd);
            _segments.MapForWriting(tail.Slot, tail.Position, tail.MappedEnd);
        }

        var reservation = _segments.Reserve(tail.Slot, tail.Position, bytes, WordOf(bytes, flags));
        Interlocked.Increment(ref _writers[tail.Slot]);
        tail.Position += bytes;
        return reservation;
    }

    private void Open(ref SegmentTail tail)
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Two threads would open the same segment.");
        var slot = _free.Take();
        Debug.Assert(_book.IsFree(slot), "A segment with entries would be overwritten.");
        var sequence = Volatile.Read(ref _control.Header.Sequence);
        if (tail.Slot != ControlHeader.NoSlot)
        {
            _book.Fill(tail.Slot, tail.Position);
            _segments.ExpectReads(tail.Slot);
        }

        _segments.PrepareToFill(slot);
        _segments.Header(slot).Open(slot, sequence);
        _book.Open(slot, sequence, tail.IsCarried);
        tail.Resume(slot, SegmentHeader.Bytes);
        NoteTails();
        _wakeWorker();
    }

    // For the process that opens the cache next.
    private void NoteTails()
    {
        _control.Header.ActiveSlot = _active.Slot;
        _control.Header.CarrySlot = _carry.Slot;
    }

    // 0 for a slot without an open segment.
    private long EndOf(int slot) =>
        _segments.IsMapped(slot) && _book.IsOpen(slot) && _segments.Header(slot).IsOpen(slot) ? SegmentWalk.EndOf(_segments, slot) : 0;
}
