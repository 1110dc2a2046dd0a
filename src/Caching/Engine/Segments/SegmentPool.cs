using System.Diagnostics;
using System.Runtime.ExceptionServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Reserves room at the ends of two segments: the active one for new entries, and the one for entries that are carried over when a segment is recycled.
/// A full one is replaced by a free segment. When there is none the caller waits for the worker, which is told to make one. Safe for all threads.
/// </summary>
internal sealed class SegmentPool
{
    // Milliseconds.
    private const long Patience = 20;

    private readonly object _gate = new();
    private readonly SegmentMap _segments;
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

    public SegmentPool(SegmentMap segments, CacheControl control, MessageCacheOptions options, Action wakeWorker)
    {
        _segments = segments;
        _control = control;
        _timeout = options.SegmentTimeout;
        _writers = new int[_control.SlotCount];
        _wakeWorker = wakeWorker;
    }

    /// <summary>Gets the number of free segments.</summary>
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

    /// <summary>Gets whether a thread waits for a free segment.</summary>
    public bool IsWanted => Volatile.Read(ref _waiting) != 0;

    private ref ControlHeader Header => ref _control.Header;

    /// <summary>Continues at the ends of the segments to which an earlier process wrote. Called before any thread writes.</summary>
    public void Resume(IEnumerable<int> free)
    {
        foreach (var slot in free)
        {
            _free.Enqueue(slot);
        }

        _activePosition = EndOf(ref Header.ActiveSlot);
        _carryPosition = EndOf(ref Header.CarrySlot);
    }

    /// <summary>Reserves room for a record. The segment is not recycled before <see cref="Finish"/>.</summary>
    /// <exception cref="DiskFullException">There is no free segment, and no room for a new one.</exception>
    /// <exception cref="TimeoutException">All segments are held by leases.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public Reservation Reserve(uint bytes, ulong flags)
    {
        lock (_gate)
        {
            while (!Fits(Header.ActiveSlot, _activePosition, bytes))
            {
                AwaitFree();
                Open(ref Header.ActiveSlot, ref _activePosition);
            }

            return Take(Header.ActiveSlot, ref _activePosition, bytes, flags);
        }
    }

    /// <summary>Reserves room for a record that is carried over; never waits.</summary>
    /// <returns>False when there is no room.</returns>
    public bool TryReserveCarry(uint bytes, ulong flags, out Reservation reservation)
    {
        lock (_gate)
        {
            if (!Fits(Header.CarrySlot, _carryPosition, bytes))
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

    /// <summary>Ends a reservation. A record that was not published becomes padding.</summary>
    public void Finish(in Reservation reservation, bool isPublished)
    {
        if (!isPublished)
        {
            reservation.Abandon();
        }

        var writers = Interlocked.Decrement(ref _writers[reservation.Slot]);
        Debug.Assert(writers >= 0, "A reservation is finished once.");
    }

    /// <summary>Says whether a segment is full, and no thread writes to it any more.</summary>
    public bool IsSettled(int slot)
    {
        lock (_gate)
        {
            return slot != Header.ActiveSlot && slot != Header.CarrySlot && Volatile.Read(ref _writers[slot]) == 0;
        }
    }

    /// <summary>Adds a free segment.</summary>
    public void AddFree(int slot)
    {
        Debug.Assert(_control.Slot(slot).State == SlotState.Free, "A segment with entries would be overwritten.");
        lock (_gate)
        {
            _free.Enqueue(slot);
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Tells the threads that wait for a segment that there will be none.</summary>
    public void Fail(Exception exception)
    {
        lock (_gate)
        {
            _failure = exception;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Refuses reservations from now on, and waits until the open ones are finished.</summary>
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

    private bool Fits(int slot, long position, uint bytes)
    {
        if (_isClosed)
        {
            throw new ObjectDisposedException("MessageCache", $"The cache '{_control.Directory}' was disposed.");
        }

        return slot != ControlHeader.NoSlot && position + bytes <= _control.SegmentBytes;
    }

    private Reservation Take(int slot, ref long position, uint bytes, ulong flags)
    {
        Debug.Assert(Monitor.IsEntered(_gate), "Two records would get the same room.");
        var reservation = _segments.Reserve(slot, position, bytes, RecordWord.Compose(RecordWord.Committed, owner: 0, bytes) | flags);
        Interlocked.Increment(ref _writers[slot]);
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

    // Fast sets must not evict entries that are read often, so the last free segment is left to carried entries, unless the worker makes no other one soon.
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
        Debug.Assert(Monitor.IsEntered(_gate), "Two threads would open the same segment.");
        var slot = _free.Dequeue();
        ref var state = ref _control.Slot(slot);
        Debug.Assert(state.State == SlotState.Free, "A segment with entries would be overwritten.");
        var sequence = Volatile.Read(ref Header.Sequence);
        _segments.WordAt(slot, SegmentHeader.Bytes) = RecordWord.Free;
        _segments.Header(slot).Open(slot, sequence);
        state.OpenSequence = sequence;
        Volatile.Write(ref state.State, SlotState.Open);
        position = SegmentHeader.Bytes;
        current = slot;
        _wakeWorker();
    }

    // The position of the next record; the end of the segment when a damaged record hides it.
    private long EndOf(ref int slot)
    {
        if (!_segments.IsMapped(slot) || _control.Slot(slot).State != SlotState.Open)
        {
            slot = ControlHeader.NoSlot;
            return 0;
        }

        var walk = new SegmentWalk(_segments, slot);
        while (walk.MoveNext())
        {
        }

        return walk.IsWhole ? walk.Position : _control.SegmentBytes;
    }
}
