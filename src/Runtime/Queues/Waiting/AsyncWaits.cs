namespace BufferedMessages.Queues;

/// <summary>
/// The asynchronous waits of a queue handle's participants on one signal: they share one thread, which sleeps for all of them. It is
/// started by the first wait and ends a second after the last.
/// </summary>
internal sealed class AsyncWaits(ControlMap control, WakeSignal signal)
{
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(1);

    private readonly object _lock = new();
    private readonly List<AsyncWait> _waits = [];
    private bool _isRunning;

    /// <summary>Adds a wait.</summary>
    public void Add(AsyncWait wait)
    {
        lock (_lock)
        {
            if (!_isRunning)
            {
                _isRunning = BackgroundThread.TryStart(control, Run, "Waits of BufferedMessages");
            }

            _waits.Add(wait);
            Monitor.Pulse(_lock);
        }

        // The thread may be asleep for the other waits.
        signal.WakeAll();
    }

    private void Run()
    {
        var waits = new List<AsyncWait>();
        for (var round = 0; TryGather(waits, out var seen); round = Look(waits, seen, round))
        {
        }

        control.Release();
    }

    // The sequence is read before the waits are: a wait that is added after that changes it, and is not slept over.
    private bool TryGather(List<AsyncWait> waits, out uint seen)
    {
        waits.Clear();
        lock (_lock)
        {
            if (_waits.Count == 0 && !Monitor.Wait(_lock, Linger) && _waits.Count == 0)
            {
                _isRunning = false;
                seen = 0;
                return false;
            }

            seen = signal.Sequence;
            waits.AddRange(_waits);
            return true;
        }
    }

    /// <summary>Checks all waits, and sleeps if none of them can proceed.</summary>
    private int Look(List<AsyncWait> waits, uint seen, int round)
    {
        var limit = TimeSpan.MaxValue;
        foreach (var wait in waits)
        {
            limit = Shorter(limit, signal.BeginWait(wait.Slot));
        }

        var isOver = false;
        foreach (var wait in waits)
        {
            if (wait.TryFinish(out var rest))
            {
                isOver = true;
                Remove(wait);
            }

            limit = Shorter(limit, rest);
        }

        if (!isOver)
        {
            signal.SleepUnlessWoken(seen, limit, round);
        }

        foreach (var wait in waits)
        {
            signal.EndWait(wait.Slot);
        }

        foreach (var wait in waits)
        {
            wait.Complete();
        }

        return isOver ? 0 : round + 1;
    }

    private void Remove(AsyncWait wait)
    {
        lock (_lock)
        {
            _waits.Remove(wait);
        }
    }

    private static TimeSpan Shorter(TimeSpan left, TimeSpan right) => left < right ? left : right;
}
