using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// The flushing of a queue handle's queue in the background while the handle has producers: at an interval, and after a number of published
/// messages. Cursors are flushed with the messages, at the interval alone. It runs on one thread, and is thread-safe.
/// </summary>
/// <param name="control">The queue.</param>
/// <param name="flusher">Writes the messages to the disk.</param>
/// <param name="events">The events of the queue handle.</param>
/// <param name="flushCursors">Writes the cursors to the disk.</param>
internal sealed class IntervalFlusher(ControlMap control, Flusher flusher, QueueEvents events, Action flushCursors) : IDisposable
{
    private readonly Lock _lock = new();
    private readonly AutoResetEvent _wake = new(initialState: false);
    private readonly TimeSpan _interval = TimeSpan.FromTicks(
        Math.Clamp(control.FlushInterval.Ticks, QueueGeometry.LeastFlushInterval.Ticks, int.MaxValue * TimeSpan.TicksPerMillisecond));
    private readonly int _messages = control.FlushMessages;
    private int _producers;
    private bool _isRunning;
    private FlushFailedException? _failure;

    /// <summary>Starts flushing.</summary>
    public void AddProducer()
    {
        lock (_lock)
        {
            if (!_isRunning)
            {
                _isRunning = BackgroundThread.TryStart(control, Run, "MessageQueue flush");
            }

            _producers++;
        }
    }

    /// <summary>After the last producer, flushes once more and then stops. A failure then shows in the durable position, which does not move.</summary>
    public void RemoveProducer()
    {
        Flush(new LivenessProbe(control));
        ForgetProducer();
    }

    /// <summary>Forgets a producer that could not be opened. It published nothing, and its caller holds the membership lock: a flush tells the program of events, which it may not hear under a lock.</summary>
    public void ForgetProducer()
    {
        lock (_lock)
        {
            _producers--;
        }

        _wake.Set();
    }

    /// <summary>Counts published messages, and asks for a flush if there are enough.</summary>
    /// <exception cref="FlushFailedException">The last flush failed; reported once.</exception>
    public void Count(ref int messages, int published)
    {
        // The sum of both may overflow.
        if (published >= _messages - messages)
        {
            messages = 0;
            _wake.Set();
        }
        else
        {
            messages += published;
        }

        if (Volatile.Read(ref _failure) is not null && Interlocked.Exchange(ref _failure, null) is { } failure)
        {
            throw failure;
        }
    }

    public void Dispose() => _wake.Dispose();

    private void Run()
    {
        var probe = new LivenessProbe(control);
        var begin = Stopwatch.GetTimestamp();
        while (HasProducers())
        {
            // Even if messages constantly ask for flushes, the interval ends.
            var isOver = !_wake.WaitOne(RestOfTime.Of(_interval, begin)) || Stopwatch.GetElapsedTime(begin) >= _interval;
            Flush(probe);
            if (isOver)
            {
                FlushCursors();
                begin = Stopwatch.GetTimestamp();
            }
        }

        control.Release();
    }

    private void Flush(LivenessProbe probe)
    {
        if (control.Loss is not null || control.IsCut)
        {
            // The end of a truncated file must not be touched.
            return;
        }

        try
        {
            flusher.TryFlushThrough(long.MaxValue, probe);
        }
        catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException or StaleQueueException)
        {
            // A reader of the record or segment reports that it is damaged, or of a newer version; the records before it are flushed. The watch reports lost files.
        }
        catch (FlushFailedException exception)
        {
            Fail(exception);
        }
    }

    private void FlushCursors()
    {
        if (control.Loss is not null || control.IsCut)
        {
            return;
        }

        try
        {
            flushCursors();
        }
        catch (FlushFailedException exception)
        {
            Fail(exception);
        }
    }

    private void Fail(FlushFailedException failure)
    {
        events.NoteFlushFailure(failure);
        Volatile.Write(ref _failure, failure);
        events.Tell();
    }

    private bool HasProducers()
    {
        lock (_lock)
        {
            return _isRunning = _producers > 0;
        }
    }
}
