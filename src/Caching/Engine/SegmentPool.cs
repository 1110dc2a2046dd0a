using System.Runtime.ExceptionServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Hands out room at the ends of two segments: the active one, which takes what is set, and the one that takes what is carried over when a segment is recycled.
/// When one is full it gets a free segment. Who finds none waits for the worker, who is told to make one. Safe for all threads.
/// </summary>
internal sealed unsafe class SegmentPool
{
    // Milliseconds.
    private const long Patience = 20;

    private readonly object _gate = new();
    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly TimeSpan _timeout;
    private readonly int[] _writers;
    private readonly Queue<int> _free = [];
    private readonly Action _wakeWorker;
    private Exception? _failure;
    private long _activePosition;
    private long _carryPosition;
    private int _waiting;
    private bool _isClosed;

    public SegmentPool(CacheStore store, MessageCacheOptions options, Action wakeWorker)
    {
        _store = store;
        _control = store.Control;
        _timeout = options.SegmentTimeout;
        _writers = new int[_control.SlotCount];
        _wakeWorker = wakeWorker;
    }

    /// <summary>Free segments that nobody uses yet.</summary>
    public int FreeCount
    {
        get
        {
            lock (_gate)
            {
                return _free.Count;
            }
        }
    }

    /// <summary>Somebody waits for a free segment.</summary>
    public bool IsWanted => Volatile.Read(ref _waiting) != 0;

    private ref ControlHeader Header => ref *_control.Header;

    /// <summary>Goes on at the ends of the segments that an earlier process wrote to. Called before anybody writes.</summary>
    public void Resume(IEnumerable<int> free)
    {
        foreach (var slot in free)
        {
            _free.Enqueue(slot);
        }

        _activePosition = EndOf(ref Header.ActiveSlot);
        _carryPosition = EndOf(ref Header.CarrySlot);
    }

    /// <summary>Takes room for a record; the segment is not recycled until <see cref="Finish"/>.</summary>
    /// <exception cref="DiskFullException">There is no segment, and no room for one.</exception>
    /// <exception cref="TimeoutException">All segments are held by leases.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public Reservation Reserve(uint bytes, ulong flags)
    {
        lock (_gate)
        {
            while (!TryReserve(ref Header.ActiveSlot, ref _activePosition, bytes))
            {
                AwaitFree();
                Open(ref Header.ActiveSlot, ref _activePosition);
            }

            return Take(Header.ActiveSlot, ref _activePosition, bytes, flags);
        }
    }

    /// <summary>Takes room for a record that is carried over; never waits.</summary>
    /// <returns>False when there is no room.</returns>
    public bool TryReserveCarry(uint bytes, ulong flags, out Reservation reservation)
    {
        lock (_gate)
        {
            if (!TryReserve(ref Header.CarrySlot, ref _carryPosition, bytes))
            {
                if (_free.Count == 0)
                {
                    reservation = default;
                    return false;
                }

                Open(ref Header.CarrySlot, ref _carryPosition);
            }

            reservation = Take(Header.CarrySlot, ref _carryPosition, bytes, flags);
            return true;
        }
    }

    /// <summary>The record is in the index, or given up.</summary>
    public void Finish(in Reservation reservation) => Interlocked.Decrement(ref _writers[reservation.Slot]);

    /// <summary>The segment is full, and nobody is writing to it any more.</summary>
    public bool IsSettled(int slot)
    {
        lock (_gate)
        {
            return slot != Header.ActiveSlot && slot != Header.CarrySlot && Volatile.Read(ref _writers[slot]) == 0;
        }
    }

    /// <summary>Gives a free segment.</summary>
    public void AddFree(int slot)
    {
        lock (_gate)
        {
            _free.Enqueue(slot);
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Tells those who wait for a segment that there is none to be had.</summary>
    public void Fail(Exception exception)
    {
        lock (_gate)
        {
            _failure = exception;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Refuses everything from now on, and waits for those who are writing.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.PulseAll(_gate);
        }

        var spin = new SpinWait();
        while (Array.Exists(_writers, static count => Volatile.Read(ref count) != 0))
        {
            spin.SpinOnce();
        }
    }

    private bool TryReserve(ref int slot, ref long position, uint bytes)
    {
        if (_isClosed)
        {
            throw new ObjectDisposedException("MessageCache", $"The cache '{_control.Directory}' was disposed.");
        }

        return slot != ControlHeader.NoSlot && position + bytes <= _control.SegmentBytes;
    }

    private Reservation Take(int slot, ref long position, uint bytes, ulong flags)
    {
        var start = _store.Segment(slot) + position;
        _store.Memory.Use(slot, start, Math.Min(bytes + RecordWord.HeaderBytes, _control.SegmentBytes - position));
        var word = RecordWord.Compose(RecordWord.Committed, owner: 0, bytes) | flags;
        if (position + bytes < _control.SegmentBytes)
        {
            // Whoever walks over the segment stops here, and not at what an earlier use of it left.
            *(ulong*)(start + bytes) = RecordWord.Free;
        }

        Volatile.Write(ref *(ulong*)start, RecordWord.Compose(RecordWord.Reserved, owner: 0, bytes));
        Interlocked.Increment(ref _writers[slot]);
        var reservation = new Reservation(start, slot, _store.LocationOf(slot, position), word);
        position += bytes;
        return reservation;
    }

    private void AwaitFree()
    {
        _failure = null;
        LeaveOneToCarry();
        var deadline = Environment.TickCount64 + (long)_timeout.TotalMilliseconds;
        while (_free.Count == 0)
        {
            _wakeWorker();
            _waiting++;
            try
            {
                var remaining = deadline - Environment.TickCount64;
                if (remaining < 0 || !Monitor.Wait(_gate, TimeSpan.FromMilliseconds(remaining)))
                {
                    throw new TimeoutException(
                        $"All segments of the cache '{_control.Directory}' are held by leases. Dispose leases when they are read, or give the cache a larger DiskBytes.");
                }
            }
            finally
            {
                _waiting--;
            }

            if (_isClosed)
            {
                throw new ObjectDisposedException("MessageCache", $"The cache '{_control.Directory}' was disposed.");
            }

            if (_failure is DiskFullException full)
            {
                throw new DiskFullException(full.File, full.Bytes, full);
            }

            if (_failure is { } failure)
            {
                ExceptionDispatchInfo.Throw(failure);
            }
        }
    }

    // What is read much must not be evicted because sets are fast: the last free segment takes what is carried over, unless the worker makes no other soon.
    private void LeaveOneToCarry()
    {
        var deadline = Environment.TickCount64 + Patience;
        for (var remaining = Patience; _free.Count == 1 && remaining > 0 && _failure is null && !_isClosed; remaining = deadline - Environment.TickCount64)
        {
            _wakeWorker();
            Monitor.Wait(_gate, TimeSpan.FromMilliseconds(remaining));
        }
    }

    private void Open(ref int current, ref long position)
    {
        var slot = _free.Dequeue();
        var sequence = Volatile.Read(ref Header.Sequence);
        var segment = _store.Segment(slot);
        _store.Memory.Use(slot, segment, SegmentHeader.Bytes + sizeof(ulong));
        *(ulong*)(segment + SegmentHeader.Bytes) = RecordWord.Free;
        _store.HeaderOf(slot)->Open(slot, sequence);
        ref var state = ref _control.Slot(slot);
        state.OpenSequence = sequence;
        Volatile.Write(ref state.State, SlotState.Open);
        position = SegmentHeader.Bytes;
        current = slot;
        _wakeWorker();
    }

    // Where the next record goes; the end of the segment when that cannot be told.
    private long EndOf(ref int slot)
    {
        if ((uint)slot >= (uint)_control.SlotCount || _store.Segment(slot) is null || _control.Slot(slot).State != SlotState.Open)
        {
            slot = ControlHeader.NoSlot;
            return 0;
        }

        var walk = new SegmentWalk(_store, slot);
        while (walk.MoveNext())
        {
        }

        return walk.IsWhole ? walk.Position : _control.SegmentBytes;
    }
}
