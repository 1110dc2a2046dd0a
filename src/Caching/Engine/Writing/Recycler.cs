using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The thread that keeps a free segment ready for sets: a new one while the disk budget has room, then the oldest one, emptied. An emptied segment that a lease holds is put aside
/// until the lease is given back.
/// </summary>
internal sealed class Recycler : IDisposable
{
    private const int FreeAhead = 2;
    private const string TemporarySuffix = "creating";

    // Leases are given back without a signal.
    private static readonly TimeSpan HeldRetry = TimeSpan.FromMilliseconds(5);

    private readonly AutoResetEvent _wake;
    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly SegmentEmptier _emptier;
    private readonly SegmentPool _pool;
    private readonly ReaderProcesses _readers;
    private readonly int _segments;
    private readonly HashSet<int> _aside = [];
    private readonly Thread _thread;
    private volatile bool _isStopped;

    /// <param name="store">The cache.</param>
    /// <param name="emptier">Empties segments.</param>
    /// <param name="pool">Takes the free segments.</param>
    /// <param name="wake">Wakes the thread.</param>
    /// <param name="segments">The number of segments that the disk budget has room for.</param>
    public Recycler(CacheStore store, SegmentEmptier emptier, SegmentPool pool, AutoResetEvent wake, int segments)
    {
        _store = store;
        _control = store.Control;
        _emptier = emptier;
        _pool = pool;
        _wake = wake;
        _segments = segments;
        _readers = new ReaderProcesses(store.Control.Directory, store.Control.Permissions);
        _thread = new Thread(Run) { IsBackground = true, Name = "MessageCache segments" };
    }

    /// <summary>Gets the number of segments that have a file.</summary>
    public int Segments { get; private set; }

    /// <summary>Reduces the cache to its budget, and starts the thread.</summary>
    public void Start(int segments)
    {
        Segments = segments;
        while (Segments > _segments && TryRecycle(OldestFirst()) is { } slot)
        {
            Delete(slot);
        }

        _thread.Start();
        _wake.Set();
    }

    public void Dispose()
    {
        _isStopped = true;
        _wake.Set();
        if (_thread.IsAlive)
        {
            _thread.Join();
        }
    }

    private void Run()
    {
        while (!_isStopped)
        {
            var isDone = true;
            try
            {
                isDone = TryReplenish();
            }
            catch (Exception exception)
            {
                // The sets that wait throw it; the next set that waits causes another attempt.
                _pool.Fail(exception);
            }

            if (isDone || !_pool.IsWanted)
            {
                _wake.WaitOne(isDone ? Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(1));
            }
            else
            {
                _wake.WaitOne(HeldRetry);
            }
        }
    }

    /// <summary>Makes free segments until there are enough.</summary>
    /// <returns>False when leases hold all segments.</returns>
    private bool TryReplenish()
    {
        while (!_isStopped && _pool.FreeCount < FreeAhead)
        {
            DiskFullException? full = null;
            if (Segments < _segments && TryCreate(ref full))
            {
                continue;
            }

            if (TryRecycle(OldestFirst()) is { } slot)
            {
                if (Segments > _segments)
                {
                    Delete(slot);
                }
                else
                {
                    _pool.AddFree(slot);
                }

                continue;
            }

            // Leases hold all segments: one segment above the budget lets sets continue.
            if (full is null && Segments == _segments && _pool.IsWanted && TryCreate(ref full))
            {
                continue;
            }

            if (full is not null)
            {
                _pool.Fail(full);
                return true;
            }

            return _pool.FreeCount != 0;
        }

        return true;
    }

    private bool TryCreate(ref DiskFullException? full)
    {
        var slot = 0;
        while (slot < _control.SlotCount && _control.Slot(slot).State != SlotState.Absent)
        {
            slot++;
        }

        if (slot == _control.SlotCount)
        {
            return false;
        }

        try
        {
            var path = CacheFiles.Segment(_control.Directory, slot);
            CacheFiles.TryDelete(path);
            MappedFile.Create(path, _control.SegmentBytes, _control.Permissions, TemporarySuffix);
        }
        catch (DiskFullException exception)
        {
            full = exception;
            return false;
        }

        ref var state = ref _control.Slot(slot);
        Debug.Assert(state.State == SlotState.Absent, "Another file has the slot.");
        state.File++;
        state.Entries = 0;
        _store.Segments.Map(slot);
        Volatile.Write(ref state.State, SlotState.Free);
        Segments++;
        _pool.AddFree(slot);
        return true;
    }

    /// <summary>Empties segments until one is not held by a lease.</summary>
    private int? TryRecycle(IEnumerable<int> candidates)
    {
        foreach (var slot in candidates)
        {
            if (_isStopped)
            {
                return null;
            }

            if (!_pool.IsSettled(slot))
            {
                continue;
            }

            if (_aside.Add(slot))
            {
                _emptier.Empty(slot, sequence => HasOlder(slot, sequence));
            }

            Interlocked.MemoryBarrierProcessWide();
            if (_store.Leases.Table.Holds(slot) || _readers.Hold(slot))
            {
                continue;
            }

            Debug.Assert(_control.Slot(slot).State == SlotState.Open, "Only a segment with records is recycled.");
            _store.Finder.ForgetCopies(slot);
            _aside.Remove(slot);
            _store.Segments.Header(slot).Close();
            Volatile.Write(ref _control.Slot(slot).State, SlotState.Free);
            return slot;
        }

        return null;
    }

    private List<int> OldestFirst() =>
    [
        .. from slot in Enumerable.Range(0, _control.SlotCount)
           where _control.Slot(slot).State == SlotState.Open
           orderby _control.Slot(slot).OpenSequence
           select slot,
    ];

    private bool HasOlder(int slot, ulong sequence)
    {
        for (var other = 0; other < _control.SlotCount; other++)
        {
            if (other != slot && _control.Slot(other).State == SlotState.Open && _control.Slot(other).OpenSequence < sequence)
            {
                return true;
            }
        }

        return false;
    }

    private void Delete(int slot)
    {
        Debug.Assert(_control.Slot(slot).State == SlotState.Free, "Only an emptied segment is deleted.");
        Volatile.Write(ref _control.Slot(slot).State, SlotState.Absent);
        _store.Segments.Unmap(slot);
        CacheFiles.TryDelete(CacheFiles.Segment(_control.Directory, slot));
        Segments--;
    }
}
