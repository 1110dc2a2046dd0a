using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A file of zeros for the next segment of a durable queue. A thread of its own prepares it while producers still write to the last segment. A queue has at most one. The file has no
/// number and no header, and a producer of any process may take it.
/// <code>
/// prepare  1 a file of zeros under a temporary name, allocated in steps   2 its name, unless there is a spare segment already
/// take     1 rename it to the temporary file of the new segment, which one producer can   2 go on as if it had just been created
/// </code>
/// A producer that needs the file while it is being prepared waits for it, as it would for its own. A death at any step leaves a spare segment, or a temporary file that the
/// reclaim of the producer's slot deletes. A producer that fills its segments quickly starts a thread for each preparation, and closes only after the thread has ended. The
/// thread therefore needs no reference of its own to the control map. Thread-safe.
/// </summary>
internal sealed class SpareSegment(FileSegments segments) : IFilePreparation
{
    public const string FileName = "spare.segment.prepared";

    // A queue that fills its segments more slowly can wait for each new one, and keeps no spare segment on its disk.
    private static readonly TimeSpan LongestFilling = TimeSpan.FromMinutes(1);

    private readonly object _lock = new();
    private readonly string _path = Path.Combine(segments.Control.Directory, FileName);
    private long _openedAt;

    // The producer for which the file is being prepared; 0 if there is none.
    private int _slot;
    private bool _isAwaited;
    private bool _isEnded;

    bool IFilePreparation.IsAwaited => Volatile.Read(ref _isAwaited);

    void IFilePreparation.ThrowIfEnded()
    {
        if (Volatile.Read(ref _isEnded))
        {
            throw new OperationCanceledException();
        }
    }

    /// <summary>Starts the preparation of a spare segment for a producer that has opened a segment, if it filled the one before quickly.</summary>
    public void NoteOpening(long segment, int slot)
    {
        var now = Environment.TickCount64;
        var before = Interlocked.Exchange(ref _openedAt, now);
        if (before == 0 || now - before > LongestFilling.TotalMilliseconds || !HasRoom(segment + 1))
        {
            return;
        }

        lock (_lock)
        {
            if (_slot != 0)
            {
                return;
            }

            _isEnded = false;
            try
            {
                new Thread(() => Prepare(slot)) { IsBackground = true, Name = "MessageQueue segments" }.UnsafeStart();
                _slot = slot;
            }
            catch (OutOfMemoryException)
            {
                // The system has no room for another thread. The producer creates its segments itself.
            }
        }
    }

    /// <summary>Renames the spare segment, waiting for one that is being prepared in this process.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryTake(string temporary)
    {
        lock (_lock)
        {
            _isAwaited = true;
            while (_slot != 0)
            {
                Monitor.Wait(_lock);
            }

            _isAwaited = false;
        }

        if (!File.Exists(_path))
        {
            return false;
        }

        try
        {
            File.Move(_path, temporary, overwrite: true);
        }
        catch (FileNotFoundException)
        {
            // Another producer was faster.
            return false;
        }

        FaultPoints.Hit(FaultPoint.SpareTaken);
        if (new FileInfo(temporary).Length == segments.Control.SegmentBytes)
        {
            return true;
        }

        // It was cut off by hand.
        File.Delete(temporary);
        return false;
    }

    /// <summary>Ends the preparation for a producer that closes: another process may get its slot, and with it the name of the temporary file.</summary>
    public void Leave(int slot)
    {
        lock (_lock)
        {
            while (_slot == slot)
            {
                Volatile.Write(ref _isEnded, true);
                Monitor.Wait(_lock);
            }
        }
    }

    private bool HasRoom(long segment)
    {
        var control = segments.Control;
        var limit = control.Header.GetRetention().HardLimitBytes;
        return limit == 0 || (segment + 1 - segments.First) * control.SegmentBytes <= limit;
    }

    private void Prepare(int slot)
    {
        try
        {
            if (!File.Exists(_path))
            {
                segments.PrepareFile(_path, FileSegments.UnfinishedSuffix(slot), this);
            }
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException or UnauthorizedAccessException or OperationCanceledException)
        {
            // The producer creates its segment itself, and reports a failure that lasts.
        }

        lock (_lock)
        {
            _slot = 0;
            Monitor.PulseAll(_lock);
        }
    }
}
