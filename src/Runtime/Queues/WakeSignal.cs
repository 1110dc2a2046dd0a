using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// How consumers sleep and producers wake them, over two words of the control file. The order of the steps is model-checked;
/// a sleep is never longer than 100 ms, since a producer may die between its commit and the wake.
/// </summary>
internal sealed unsafe class WakeSignal(ControlFile control)
{
    private static readonly TimeSpan LongestSleep = TimeSpan.FromMilliseconds(100);

    // Used when publishers could not be made to fence: a missed wake-up then costs this much.
    private static readonly TimeSpan LongestUnfencedSleep = TimeSpan.FromMilliseconds(2);

    // A waiter that died is still counted. After this many wakes in a row that woke nobody, a publisher looks for such waiters.
    private const int IdleWakesBeforeSettling = 256;

    private readonly WordWait _wait = WordWait.ForThisMachine();
    private readonly uint* _waiters = &control.Header->Waiters;
    private int _idleWakes;

    /// <summary>The publisher's step behind a commit: wakes all who wait. Nobody waits most of the time, and then it must cost nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeWaiters()
    {
        ProcessFence.Frequent();
        if (Volatile.Read(ref *_waiters) != 0)
        {
            WakeAndSettle();
        }
    }

    /// <summary>Wakes all sleepers, whoever they are.</summary>
    public int WakeAll()
    {
        Interlocked.Increment(ref control.Header->WakeSequence);
        return _wait.WakeAll(&control.Header->WakeSequence);
    }

    /// <summary>Sleeps until a wake, unless there is something to do at the last look; may return early.</summary>
    /// <param name="slot">The waiting consumer.</param>
    /// <param name="hasWork">Looks once more, when a later publish is sure to wake this sleeper.</param>
    /// <param name="limit">How long the caller is ready to sleep.</param>
    /// <param name="round">How many sleeps of the same wait came before.</param>
    public void Sleep(int slot, IWaiter hasWork, TimeSpan limit, int round)
    {
        if (!_wait.NeedsWake)
        {
            SleepUncounted(hasWork, Shorter(limit, LongestSleep), round);
            return;
        }

        // Counted first and marked second, and the reverse on the way out: who dies in between is counted once too often, never too little.
        var participant = control.Participant(slot);
        Interlocked.Increment(ref *_waiters);
        Volatile.Write(ref participant->IsWaiting, 1);
        try
        {
            var longest = ProcessFence.Rare() ? LongestSleep : LongestUnfencedSleep;
            SleepUncounted(hasWork, Shorter(limit, longest), round);
        }
        finally
        {
            Volatile.Write(ref participant->IsWaiting, 0);
            Interlocked.Decrement(ref *_waiters);
        }
    }

    private static TimeSpan Shorter(TimeSpan left, TimeSpan right) => left < right ? left : right;

    private void SleepUncounted(IWaiter hasWork, TimeSpan limit, int round)
    {
        var seen = Volatile.Read(ref control.Header->WakeSequence);
        if (!hasWork.HasWork())
        {
            _wait.Wait(&control.Header->WakeSequence, seen, limit, round);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WakeAndSettle()
    {
        _idleWakes = WakeAll() > 0 ? 0 : _idleWakes + 1;
        if (_idleWakes < IdleWakesBeforeSettling)
        {
            return;
        }

        _idleWakes = 0;
        using var registrar = Registrar.TryAcquire(control);
        if (registrar is not null)
        {
            new Participants(control).SettleDeadWaiters();
        }
    }
}

/// <summary>Somebody who sleeps until there is work.</summary>
internal interface IWaiter
{
    /// <summary>Looks for work, and for reasons to stop waiting.</summary>
    bool HasWork();
}
