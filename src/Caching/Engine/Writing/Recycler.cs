using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The thread that keeps a free segment ready for sets: a new one while the disk budget has room, then one that is emptied. While live data is below the budget, that is the one with
/// the fewest live bytes, and nothing is evicted. An emptied segment that a lease holds is put aside until the lease is given back. If live data fits into the memory, garbage must
/// not push it out: then a segment is emptied before another one is created.
/// </summary>
internal sealed class Recycler : IDisposable
{
    private const int FreeAhead = 2;

    private const int HeldSpins = 200;

    // Leases are given back without a signal.
    private static readonly TimeSpan HeldRetry = TimeSpan.FromMilliseconds(5);

    // No set waits for a segment.
    private static readonly TimeSpan UnwantedRetry = TimeSpan.FromSeconds(1);

    private readonly AutoResetEvent _wake;
    private readonly CacheStore _store;
    private readonly CacheControl _control;
    private readonly SegmentBook _book;
    private readonly SegmentCleaner _cleaner;
    private readonly SegmentPool _pool;
    private readonly ReaderProcesses _readers;
    private readonly int _segments;

    // The slots that the locations of the index can name, including one for the segment above the budget.
    private readonly int _slots;
    private readonly HashSet<int> _aside = [];
    private readonly List<int> _full = [];
    private readonly Comparison<int> _byAge;
    private readonly Thread _thread;
    private volatile bool _isStopped;

    /// <param name="store">The cache.</param>
    /// <param name="book">The states of the segments.</param>
    /// <param name="cleaner">Empties segments.</param>
    /// <param name="pool">Takes the free segments.</param>
    /// <param name="wake">Wakes the thread.</param>
    /// <param name="segments">The number of segments that the disk budget has room for.</param>
    public Recycler(CacheStore store, SegmentBook book, SegmentCleaner cleaner, SegmentPool pool, AutoResetEvent wake, int segments)
    {
        _store = store;
        _control = store.Control;
        _book = book;
        _cleaner = cleaner;
        _pool = pool;
        _wake = wake;
        _segments = segments;
        _slots = Math.Min(book.SlotCount, MessageCacheOptions.MostSegmentsOf(book.SegmentBytes));
        _byAge = (one, other) => (book.OpenSequence(one), one).CompareTo((book.OpenSequence(other), other));
        _readers = new ReaderProcesses(store.Control.Directory, store.Control.Permissions);
        _thread = new Thread(Run) { IsBackground = true, Name = "MessageCache segments" };
    }

    /// <summary>Gets the number of segments that have a file.</summary>
    public int Segments { get; private set; }

    /// <summary>Reduces the cache to its budget, and starts the thread.</summary>
    public void Start(int segments)
    {
        Segments = segments;
        _pool.NoteExisting(segments);

        // An earlier process has emptied these, and was killed while a lease held them.
        _aside.UnionWith(Enumerable.Range(0, _book.SlotCount).Where(slot => _book.IsOpen(slot) && !_store.Segments.Header(slot).IsOpen(slot)));
        var part = (double)_segments / Math.Max(segments, _segments);
        while (Segments > _segments && TryRecycle(onlyCleans: false, part) is { } slot)
        {
            // One stays for carried entries: without room for them, entries would be evicted although all of them fit into the budget.
            if (_pool.Free.Count == 0)
            {
                _pool.Free.Add(slot);
            }
            else
            {
                Delete(slot);
            }
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
                _pool.Free.BeginAttempt();
                isDone = TryReplenish();
                if (!isDone)
                {
                    _pool.Free.NoteHeld();
                }
            }
            catch (Exception exception)
            {
                // The sets that wait throw it; the next set that waits causes another attempt.
                _pool.Free.Fail(exception);
            }

            _wake.WaitOne(isDone ? Timeout.InfiniteTimeSpan : _pool.Free.IsWanted ? HeldRetry : UnwantedRetry);
        }
    }

    /// <summary>Creates or empties segments until enough are free.</summary>
    /// <returns>False when leases hold all segments that a set waits for.</returns>
    private bool TryReplenish()
    {
        while (!_isStopped && _pool.Free.Count < FreeAhead)
        {
            // Another process that has opened the cache by now would use the same segments.
            _store.RequireInPlace();
            Exception? failure = null;
            var hasRoom = Segments < _segments;
            var onlyCleans = hasRoom && _cleaner.ShouldClean(Segments, FullSegments());
            if (hasRoom && !onlyCleans && TryCreate(ref failure))
            {
                continue;
            }

            if (TryRecycle(onlyCleans, part: 1) is { } slot)
            {
                if (Segments > _segments)
                {
                    Delete(slot);
                }
                else
                {
                    _pool.Free.Add(slot);
                }

                continue;
            }

            // Leases hold all segments that were emptied: one segment above the budget lets sets continue.
            if (failure is null && (hasRoom || (Segments == _segments && _pool.Free.IsWanted)) && TryCreate(ref failure))
            {
                continue;
            }

            if (failure is not null)
            {
                _pool.Free.Fail(failure);
                return true;
            }

            // A set may wait although there is one for carried entries.
            return _pool.Free.Count != 0 && !_pool.Free.IsWanted;
        }

        return true;
    }

    private bool TryCreate(ref Exception? failure)
    {
        var slot = 0;
        while (slot < _slots && !_book.IsAbsent(slot))
        {
            slot++;
        }

        if (slot == _slots)
        {
            return false;
        }

        var path = CacheFiles.Segment(_control.Directory, slot);
        try
        {
            CacheFiles.TryDelete(path);
            MappedFile.Create(path, _control.SegmentBytes, _control.Permissions, CacheFiles.UnfinishedSuffix, waitsForHugePages: true);
            _store.Segments.Map(slot);
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException or UnauthorizedAccessException)
        {
            CacheFiles.TryDelete(path);
            failure = exception;
            _store.Counters.CountFailedSegment(exception);
            return false;
        }

        _book.Create(slot);
        Segments++;
        _pool.NoteExisting(Segments);
        _pool.Free.Add(slot);

        // Reads are sampled before the first entry has to leave.
        if (Segments > _segments / 2)
        {
            _cleaner.Prepare(_control.Entries * _segments / Segments);
        }

        return true;
    }

    /// <summary>Empties segments until one is not held by a lease.</summary>
    /// <param name="onlyCleans">Whether nothing is evicted.</param>
    /// <param name="part">The part of the segments that the budget has room for; 1 for all.</param>
    /// <returns>Null when leases hold those that were emptied, or there is no room to carry.</returns>
    private int? TryRecycle(bool onlyCleans, double part)
    {
        while (!_isStopped)
        {
            if (FreeAside() is { } slot)
            {
                return slot;
            }

            var full = FullSegments();
            var emptied = _cleaner.EmptySome(full, isTooLarge: Segments > _segments, part, onlyCleans, isHeld: _aside.Count != 0 && Segments == _segments);
            if (emptied.Length == 0)
            {
                return null;
            }

            _aside.UnionWith(emptied);

            // Most leases are held for a moment.
            var spin = new SpinWait();
            for (var spins = 0; spins < HeldSpins; spins++, spin.SpinOnce(sleep1Threshold: -1))
            {
                if (FreeAside() is { } freed)
                {
                    return freed;
                }
            }
        }

        return null;
    }

    private int? FreeAside()
    {
        if (_aside.Count == 0)
        {
            return null;
        }

        Interlocked.MemoryBarrierProcessWide();
        foreach (var slot in _aside)
        {
            if (!_store.Leases.Table.Holds(slot) && !_readers.Hold(slot))
            {
                Debug.Assert(_book.IsOpen(slot), "Only a segment with records is recycled.");
                _store.Finder.ForgetCopies(slot);
                _aside.Remove(slot);
                _book.Free(slot);
                return slot;
            }
        }

        return null;
    }

    // The oldest first. Valid until the next call.
    private List<int> FullSegments()
    {
        _full.Clear();
        for (var slot = 0; slot < _book.UsedSlots; slot++)
        {
            if (_book.IsOpen(slot) && !_aside.Contains(slot) && _pool.IsSettled(slot))
            {
                _book.Settle(slot);
                _full.Add(slot);
            }
        }

        _full.Sort(_byAge);
        return _full;
    }

    private void Delete(int slot)
    {
        Debug.Assert(_book.IsFree(slot), "Only an emptied segment is deleted.");
        _book.Delete(slot);
        _store.Segments.Unmap(slot);
        CacheFiles.TryDelete(CacheFiles.Segment(_control.Directory, slot));
        Segments--;
        _pool.NoteExisting(Segments);
    }
}
