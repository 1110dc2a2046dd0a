using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// The asynchronous waits of a queue handle's participants on one signal. They share one thread, which sleeps for all of them. It
/// starts with the first wait and ends a second after the last.
/// </summary>
/// <remarks>
/// The thread that awaits announces its wait to wakers and looks once more. The shared thread is already asleep on the signal and need not be woken for that: the
/// wake of a later commit reaches it.
/// </remarks>
internal sealed class AsyncWaits(ControlMap control, WakeSignal signal)
{
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly List<AsyncWait> _waits = [];
    private bool _isRunning;

    /// <summary>Adds a wait, or completes it if it ends at once.</summary>
    public void Add(AsyncWait wait)
    {
        var seen = signal.Sequence;
        wait.LongestSleep = signal.BeginWait(wait.Slot);
        if (wait.TryFinish(out var rest))
        {
            End(wait);
            return;
        }

        try
        {
            Enlist(wait);
        }
        catch
        {
            signal.EndWait(wait.Slot);
            throw;
        }

        // After a wake that came before it knew of this wait, the thread may continue to sleep, for longer than this wait may.
        if (signal.Sequence != seen || rest < WakeSignal.LongestSleep)
        {
            signal.WakeAll();
        }
    }

    private void Enlist(AsyncWait wait)
    {
        lock (_lock)
        {
            if (!_isRunning)
            {
                _isRunning = BackgroundThread.TryStart(control, Run, "MessageQueue waits");
            }

            _waits.Add(wait);
        }
    }

    // The sequence is read before the waits. A later wait that must not be slept through changes it.
    private void Run()
    {
        var waits = new List<AsyncWait>();
        var idleSince = Stopwatch.GetTimestamp();
        var last = signal.Sequence;
        var mustBeginAgain = true;
        var round = 0;
        while (true)
        {
            var seen = signal.Sequence;
            mustBeginAgain |= seen != last;
            last = seen;
            var known = waits.Count;
            if (!TryGather(waits, ref idleSince))
            {
                break;
            }

            if (TryFinishSome(waits, ref mustBeginAgain, out var limit))
            {
                round = 0;
            }
            else
            {
                round = waits.Count > known ? 0 : round + 1;
                signal.SleepUnlessWoken(seen, limit, round);
            }
        }

        control.Release();
    }

    private bool TryGather(List<AsyncWait> waits, ref long idleSince)
    {
        waits.Clear();
        lock (_lock)
        {
            waits.AddRange(_waits);
            if (waits.Count != 0)
            {
                idleSince = Stopwatch.GetTimestamp();
            }

            // The process may be suspended for longer than that between the two readings of the clock.
            return _isRunning = waits.Count != 0 || Stopwatch.GetElapsedTime(idleSince) < Linger;
        }
    }

    /// <summary>Checks all waits, and ends those that are over.</summary>
    /// <param name="waits">The waits.</param>
    /// <param name="mustBeginAgain">Whether wakers may already have woken them, and would therefore not wake them again.</param>
    /// <param name="limit">If none is over, how long the thread may sleep.</param>
    private bool TryFinishSome(List<AsyncWait> waits, ref bool mustBeginAgain, out TimeSpan limit)
    {
        var isOver = TryFinishSome(waits, out limit);
        if (isOver || waits.Count == 0 || !mustBeginAgain)
        {
            return isOver;
        }

        mustBeginAgain = false;
        var longest = signal.BeginAgain();
        waits.ForEach(wait => wait.LongestSleep = longest);
        return TryFinishSome(waits, out limit);
    }

    private bool TryFinishSome(List<AsyncWait> waits, out TimeSpan limit)
    {
        var isOver = false;
        limit = WakeSignal.LongestSleep;
        foreach (var wait in waits)
        {
            if (wait.TryFinish(out var rest))
            {
                isOver = true;
                Remove(wait);
                End(wait);
            }
            else if (rest < limit)
            {
                limit = rest;
            }
        }

        return isOver;
    }

    private void Remove(AsyncWait wait)
    {
        lock (_lock)
        {
            _waits.Remove(wait);
        }
    }

    private void End(AsyncWait wait)
    {
        signal.EndWait(wait.Slot);
        wait.Complete();
    }
}
