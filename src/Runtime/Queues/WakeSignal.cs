using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// How consumers sleep and producers wake them, over two words of the control file.
/// <code>
/// wait  1 seen = sequence   2 waiters: one more now, one more begun   3 fence   4 look again   5 futex wait while sequence == seen   6 one less now
/// wake  1 commit            2 fence   3 waiters now != 0, and waits have begun since the last wake: sequence += 1, wake all
/// </code>
/// A waiter that was counted when a wake read the count had read the sequence before the wake bumped it: it cannot fall asleep any
/// more. So a publisher need not wake again for it, however long it takes until it runs; without that each publish would be a system
/// call until then. A sleep is never longer than 100 ms, since a producer may die between its commit and the wake.
/// </summary>
internal sealed unsafe class WakeSignal(ControlFile control)
{
    private static readonly TimeSpan LongestSleep = TimeSpan.FromMilliseconds(100);

    // Used when publishers could not be made to fence: a missed wake-up then costs this much.
    private static readonly TimeSpan LongestUnfencedSleep = TimeSpan.FromMilliseconds(2);

    // A waiter that died is still counted. After this many publishes in a row that had nobody to wake, a publisher looks for such waiters.
    private const int IdleWakesBeforeSettling = 1_024;

    private const ulong OneNow = 1;
    private const ulong OneBegun = 1ul << 32;

    private readonly WordWait _wait = WordWait.ForThisMachine();
    private readonly ulong* _waiters = &control.Header->Waiters;
    private uint _wokenWaits;
    private int _idleWakes;

    /// <summary>The publisher's step behind a commit: wakes all who wait. Nobody waits most of the time, and then it must cost nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeWaiters()
    {
        ProcessFence.Frequent();
        var waiters = Volatile.Read(ref *_waiters);
        if ((uint)waiters != 0)
        {
            WakeOrSettle((uint)(waiters >> 32));
        }
    }

    /// <summary>Wakes all sleepers, whoever they are.</summary>
    public void WakeAll()
    {
        Interlocked.Increment(ref control.Header->WakeSequence);
        _wait.WakeAll(&control.Header->WakeSequence);
    }

    /// <summary>Takes a waiter out of the count that cannot do it itself.</summary>
    public static void CountWaiterOut(ControlFile control) => Interlocked.Add(ref control.Header->Waiters, unchecked(0 - OneNow));

    /// <summary>Sleeps until a wake, unless there is something to do at the last look; may return early.</summary>
    /// <param name="slot">The waiting consumer.</param>
    /// <param name="waiter">Looks once more, when a later publish is sure to wake this sleeper.</param>
    /// <param name="limit">How long the caller is ready to sleep.</param>
    /// <param name="round">How many sleeps of the same wait came before.</param>
    public void Sleep(int slot, IWaiter waiter, TimeSpan limit, int round)
    {
        var seen = Volatile.Read(ref control.Header->WakeSequence);
        if (!_wait.NeedsWake)
        {
            SleepUnlessWork(waiter, seen, Shorter(limit, LongestSleep), round);
            return;
        }

        // Counted first and marked second, and the reverse on the way out: who dies in between is counted once too often, never too little.
        var participant = control.Participant(slot);
        Interlocked.Add(ref *_waiters, OneNow + OneBegun);
        Volatile.Write(ref participant->IsWaiting, 1);
        try
        {
            var longest = ProcessFence.Rare() ? LongestSleep : LongestUnfencedSleep;
            SleepUnlessWork(waiter, seen, Shorter(limit, longest), round);
        }
        finally
        {
            Volatile.Write(ref participant->IsWaiting, 0);
            CountWaiterOut(control);
        }
    }

    private static TimeSpan Shorter(TimeSpan left, TimeSpan right) => left < right ? left : right;

    private void SleepUnlessWork(IWaiter waiter, uint seen, TimeSpan limit, int round)
    {
        if (!waiter.HasWork())
        {
            _wait.Wait(&control.Header->WakeSequence, seen, limit, round);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WakeOrSettle(uint begunWaits)
    {
        if (begunWaits != _wokenWaits)
        {
            _wokenWaits = begunWaits;
            _idleWakes = 0;
            WakeAll();
        }
        else if (++_idleWakes == IdleWakesBeforeSettling)
        {
            using var registrar = Registrar.TryAcquire(control);
            if (registrar is not null)
            {
                new Participants(control).SettleDeadWaiters();
            }
        }
    }
}

/// <summary>Somebody who sleeps until there is work.</summary>
internal interface IWaiter
{
    /// <summary>Looks for work, and for reasons to stop waiting.</summary>
    bool HasWork();
}
