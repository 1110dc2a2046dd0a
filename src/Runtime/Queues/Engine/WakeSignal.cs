using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// How participants sleep and others wake them, over two words of the control file: consumers sleep until there is a record, producers until
/// there is space.
/// <code>
/// wait  1 seen = sequence   2 waiters: one more now, one more begun   3 fence   4 look again   5 futex wait while sequence == seen   6 one less now
/// wake  1 commit            2 fence   3 waiters now != 0, and waits have begun since the last wake: sequence += 1, wake all
/// </code>
/// A waiter that was counted when a wake read the count had read the sequence before the wake bumped it: it cannot fall asleep any
/// more. So a publisher need not wake again for it, however long it takes until it runs; without that each publish would be a system
/// call until then. A sleep is never longer than 40 ms, since a producer may die between its commit and the wake.
/// </summary>
internal sealed unsafe class WakeSignal
{
    // Used when wakers could not be made to fence: a missed wake-up then costs this much.
    private static readonly TimeSpan LongestUnfencedSleep = TimeSpan.FromMilliseconds(2);

    // A waiter that died is still counted. After this many wakes in a row that had nobody to wake, a waker looks for such waiters.
    private const int IdleWakesBeforeSettling = 1_024;

    private const ulong OneNow = 1;
    private const ulong OneBegun = 1ul << 32;

    private readonly ControlFile? _control;
    private readonly WordWait _wait;

    // The words of a signal that is not shared.
    private readonly ulong[]? _ownWords;
    private readonly ulong* _waiters;
    private readonly uint* _sequence;
    private readonly uint _waitsFor;
    private uint _wokenWaits;
    private int _idleWakes;

    /// <summary>A signal of this process alone, for a waiter that others do not see: it looks again every few milliseconds.</summary>
    public WakeSignal()
    {
        _wait = new PollingWait();
        _ownWords = GC.AllocateArray<ulong>(2, pinned: true);
        _waiters = (ulong*)Unsafe.AsPointer(ref _ownWords[0]);
        _sequence = (uint*)Unsafe.AsPointer(ref _ownWords[1]);
    }

    private WakeSignal(ControlFile control, ulong* waiters, uint* sequence, uint waitsFor)
    {
        _wait = WordWait.ForThisMachine();
        _control = control;
        _waiters = waiters;
        _sequence = sequence;
        _waitsFor = waitsFor;
    }

    /// <summary>The longest sleep where wakers are sure to see the waiter.</summary>
    public static TimeSpan LongestSleep
    {
        get
        {
            var longest = TimeSpan.FromMilliseconds(40);
            FaultPoints.SleepLonger(ref longest);
            return longest;
        }
    }

    /// <summary>Sleepers must be woken: they have to be counted.</summary>
    public bool NeedsWake => _wait.NeedsWake;

    /// <summary>What consumers sleep on.</summary>
    public static WakeSignal ForRecords(ControlFile control) =>
        new(control, &control.Header->Waiters, &control.Header->WakeSequence, ParticipantSlot.WaitsForRecord);

    /// <summary>What producers sleep on.</summary>
    public static WakeSignal ForSpace(ControlFile control) =>
        new(control, &control.Header->SpaceWaiters, &control.Header->SpaceWakeSequence, ParticipantSlot.WaitsForSpace);

    /// <summary>Takes a participant out of the count that died while it waited. The caller has found it dead. Of many who do this, one does.</summary>
    public static void CountDeadWaiterOut(ControlFile control, int slot)
    {
        switch (Interlocked.Exchange(ref control.Participant(slot)->Waiting, ParticipantSlot.NotWaiting))
        {
            case ParticipantSlot.WaitsForRecord:
                Interlocked.Add(ref control.Header->Waiters, unchecked(0 - OneNow));
                break;
            case ParticipantSlot.WaitsForSpace:
                Interlocked.Add(ref control.Header->SpaceWaiters, unchecked(0 - OneNow));
                break;
        }
    }

    /// <summary>The step behind a commit: wakes all who wait. Nobody waits most of the time, and then it must cost nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeWaiters()
    {
        ProcessFence.Frequent();
        var waiters = Volatile.Read(ref *_waiters);
        FaultPoints.ReplaceWaiters(ref waiters);
        if ((uint)waiters != 0)
        {
            WakeOrSettle((uint)(waiters >> 32));
        }
    }

    /// <summary>Wakes all sleepers, whoever they are.</summary>
    public void WakeAll()
    {
        Interlocked.Increment(ref *_sequence);
        _wait.WakeAll(_sequence);
    }

    /// <summary>The value that a sleep compares with; read before the last look.</summary>
    public uint Sequence => Volatile.Read(ref *_sequence);

    /// <summary>Begins a wait: from now on wakers see the participant.</summary>
    /// <returns>How long a sleep may be.</returns>
    public TimeSpan BeginWait(int slot)
    {
        if (!_wait.NeedsWake)
        {
            return LongestSleep;
        }

        // Counted first and marked second, and the reverse on the way out: who dies in between is counted once too often, never too little.
        Interlocked.Add(ref *_waiters, OneNow + OneBegun);
        FaultPoints.Hit(FaultPoint.WaiterCounted);
        Volatile.Write(ref _control!.Participant(slot)->Waiting, _waitsFor);
        FaultPoints.Hit(FaultPoint.WaiterMarked);
        return ProcessFence.Rare() ? LongestSleep : LongestUnfencedSleep;
    }

    /// <summary>Ends a wait.</summary>
    public void EndWait(int slot)
    {
        if (_wait.NeedsWake)
        {
            Volatile.Write(ref _control!.Participant(slot)->Waiting, ParticipantSlot.NotWaiting);
            FaultPoints.Hit(FaultPoint.WaiterUnmarked);
            Interlocked.Add(ref *_waiters, unchecked(0 - OneNow));
        }
    }

    /// <summary>Sleeps until the next wake; returns early when there was one since the sequence was read.</summary>
    /// <param name="seen">The sequence before the last look.</param>
    /// <param name="limit">How long at most.</param>
    /// <param name="round">How many sleeps of the same wait came before.</param>
    public void SleepUnlessWoken(uint seen, TimeSpan limit, int round) => _wait.Wait(_sequence, seen, limit, round);

    /// <summary>Sleeps until a wake, unless there is something to do at the last look; may return early.</summary>
    /// <param name="slot">The waiting participant.</param>
    /// <param name="waiter">Looks once more, when a later commit is sure to wake this sleeper.</param>
    /// <param name="limit">How long the caller is ready to sleep.</param>
    /// <param name="round">How many sleeps of the same wait came before.</param>
    public void Sleep(int slot, IWaiter waiter, TimeSpan limit, int round)
    {
        var seen = Sequence;
        var longest = BeginWait(slot);
        try
        {
            if (!waiter.HasWork())
            {
                SleepUnlessWoken(seen, Shortest(limit, longest, waiter.LongestSleep), round);
            }
        }
        finally
        {
            EndWait(slot);
        }
    }

    private static TimeSpan Shortest(TimeSpan first, TimeSpan second, TimeSpan third)
    {
        var shorter = first < second ? first : second;
        return shorter < third ? shorter : third;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WakeOrSettle(uint begunWaits)
    {
        if (begunWaits != _wokenWaits)
        {
            _wokenWaits = begunWaits;
            _idleWakes = 0;
            Interlocked.Increment(ref _control!.Header->Wakes);
            FaultPoints.Hit(FaultPoint.BeforeWake);
            WakeAll();
        }
        else if (++_idleWakes == IdleWakesBeforeSettling)
        {
            new Participants(_control!).SettleDeadWaiters();
        }
    }
}
