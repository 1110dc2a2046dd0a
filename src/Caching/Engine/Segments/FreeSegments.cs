using System.Runtime.ExceptionServices;

namespace BufferedMessages.Caching;

/// <summary>
/// The segments that are ready to be filled, and the threads that wait for one. The worker adds segments, in attempts. A thread heeds only attempts that began after it began to wait:
/// an earlier one may not have seen a change, such as room on the disk or a lease that was given back. Members that do not lock the gate are called with it locked.
/// </summary>
/// <param name="gate">The lock of the pool.</param>
/// <param name="directory">The directory of the cache, for exceptions.</param>
/// <param name="timeout">How long a thread waits while leases hold all segments.</param>
/// <param name="wakeWorker">Wakes the worker.</param>
internal sealed class FreeSegments(object gate, string directory, TimeSpan timeout, Action wakeWorker)
{
    // A thread whose timeout is over still waits for the end of an attempt, and checks for it this often.
    private const long LateMilliseconds = 10;

    private readonly Queue<int> _slots = [];
    private Exception? _failure;
    private long _begun;
    private long _failed;
    private long _held;
    private int _waiting;

    /// <summary>Gets whether no segment is free.</summary>
    public bool IsEmpty => _slots.Count == 0;

    /// <summary>Gets whether segments may no longer be taken.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Gets whether a thread waits. Needs no lock.</summary>
    public bool IsWanted => Volatile.Read(ref _waiting) != 0;

    /// <summary>Gets the number of segments. Locks the gate.</summary>
    public int Count
    {
        get
        {
            lock (gate)
            {
                return _slots.Count;
            }
        }
    }

    /// <summary>Adds a segment. Locks the gate.</summary>
    public void Add(int slot)
    {
        lock (gate)
        {
            _slots.Enqueue(slot);
            Monitor.PulseAll(gate);
        }
    }

    /// <summary>Notes that the worker begins to look for segments. Locks the gate.</summary>
    public void BeginAttempt()
    {
        lock (gate)
        {
            _begun++;
        }
    }

    /// <summary>Notes that the attempt has found all segments held by leases. Locks the gate.</summary>
    public void NoteHeld()
    {
        lock (gate)
        {
            _held = _begun;
        }
    }

    /// <summary>Tells the threads that waited when the attempt began that there will be none. Locks the gate.</summary>
    public void Fail(Exception exception)
    {
        lock (gate)
        {
            _failure = exception;
            _failed = _begun;
            Monitor.PulseAll(gate);
        }
    }

    /// <summary>Makes waiting threads throw from now on.</summary>
    public void Close()
    {
        IsClosed = true;
        Monitor.PulseAll(gate);
    }

    /// <summary>Throws if segments may no longer be taken.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void ThrowIfClosed()
    {
        if (IsClosed)
        {
            throw Closed();
        }
    }

    /// <summary>Creates the exception for segments that may no longer be taken.</summary>
    public ObjectDisposedException Closed() => CacheFailures.Disposed(directory);

    /// <summary>Takes the segment that has been free for the longest time.</summary>
    public int Take() => _slots.Dequeue();

    /// <summary>Waits until more segments are free than a number that is kept.</summary>
    /// <exception cref="DiskFullException">The disk has no room for a new one.</exception>
    /// <exception cref="TimeoutException">Leases hold all segments.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void Await(int kept)
    {
        if (_slots.Count > kept)
        {
            return;
        }

        var attempts = _begun;
        var deadline = Environment.TickCount64 + (long)timeout.TotalMilliseconds;

        // Counted from the beginning of the wait to its end: the worker looks at any time, and makes a segment above the budget only for a thread that waits.
        _waiting++;
        try
        {
            do
            {
                wakeWorker();
                var remaining = Math.Max(deadline - Environment.TickCount64, LateMilliseconds);

                // A segment may be added after the time is over, before this thread has the lock again.
                if (!Monitor.Wait(gate, TimeSpan.FromMilliseconds(remaining)) && _held > attempts && _slots.Count <= kept)
                {
                    throw CacheFailures.AllHeld(directory);
                }

                ThrowIfClosed();
                ThrowIfFailed(attempts);
            }
            while (_slots.Count <= kept);
        }
        finally
        {
            _waiting--;
        }
    }

    private void ThrowIfFailed(long attempts)
    {
        if (_failed <= attempts)
        {
            return;
        }

        if (_failure is DiskFullException full)
        {
            throw new DiskFullException(full.File, full.Bytes, full);
        }

        ExceptionDispatchInfo.Throw(_failure!);
    }
}
