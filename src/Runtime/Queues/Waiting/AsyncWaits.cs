using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// The asynchronous waits of a queue handle's participants on one signal: they share one thread, which sleeps for all of them. It is
/// started by the first wait and ends a second after the last.
/// </summary>
/// <remarks>
/// The thread that awaits announces its wait to wakers and looks once more. The shared thread sleeps on the signal already, so it need not be woken for that: the
/// wake of a later commit reaches it.
/// </remarks>
internal sealed class AsyncWaits(ControlMap control, WakeSignal signal)
{
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly List<AsyncWait> _waits = [];
    private bool _isRunning;

    /// <summary>Adds a wait, or completes it if it is over at once.</summary>
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

        // The thread may sleep on after a wake that came before it knew of this wait, and longer than this wait may.
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

    // The sequence is read before the waits are: a wait that is added after that and must not be slept over changes it.
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

            // The process may be stopped for longer than that between the two looks at the clock.
            return _isRunning = waits.Count != 0 || Stopwatch.GetElapsedTime(idleSince) < Linger;
        }
    }

    /// <summary>Checks all waits, and ends those that are over.</summary>
    /// <param name="waits">The waits.</param>
    /// <param name="mustBeginAgain">Whether wakers may have woken them, and so would not wake for them again.</param>
    /// <param name="limit">How long the thread may sleep otherwise.</param>
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
