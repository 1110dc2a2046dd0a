using System.Diagnostics;
using System.Runtime.CompilerServices;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The protocol of sleeping and waking, over two words of the control file: consumers sleep until there is a record, producers until
/// there is space.
/// <code>
/// wait  1 seen = sequence   2 waiters: one more now, one more begun   3 fence   4 look again   5 futex wait while sequence == seen   6 one less now
/// wake  1 commit            2 fence   3 waiters now != 0, and waits have begun since the last wake: sequence += 1, wake all
/// </code>
/// A waiter that was counted when a wake read the count had read the sequence before that wake incremented it, so it can no longer fall
/// asleep. A publisher need not wake it again, however long it takes until it runs; otherwise, each publish until then would be a system
/// call. A sleep is never longer than 40 ms, since a producer may die between its commit and the wake.
/// </summary>
internal sealed class WakeSignal
{
    // Used if wakers cannot be made to fence; this is then the cost of a missed wake-up.
    private static readonly TimeSpan LongestUnfencedSleep = TimeSpan.FromMilliseconds(2);

    // A waiter that died is still counted. After this many wakes in a row without a sleeper, a waker looks for dead waiters.
    private const int IdleWakesBeforeSettling = 1_024;

    /// <summary>One waiter, in the count of present waiters.</summary>
    public const ulong OneNow = 1;

    private const ulong OneBegun = 1ul << 32;

    private readonly ControlMap? _control;
    private readonly WordWait _wait;

    // The words of a signal that is not shared.
    private readonly ulong[]? _ownWords;
    private readonly SharedRecord<ulong> _waiters;
    private readonly SharedRecord<uint> _sequence;
    private readonly SharedRecord<long> _wokenAt;
    private readonly uint _waitsFor;
    private uint _wokenWaits;
    private int _idleWakes;

    /// <summary>Creates a signal of this process alone, for a waiter that others do not see: it looks again every few milliseconds.</summary>
    public WakeSignal()
    {
        _wait = new PollingWait();
        _ownWords = GC.AllocateArray<ulong>(3, pinned: true);
        _waiters = SharedRecord<ulong>.Of(ref _ownWords[0]);
        _sequence = SharedRecord<uint>.Of(ref Unsafe.As<ulong, uint>(ref _ownWords[1]));
        _wokenAt = SharedRecord<long>.Of(ref Unsafe.As<ulong, long>(ref _ownWords[2]));
    }

    private WakeSignal(ControlMap control, ref ulong waiters, ref uint sequence, ref long wokenAt, uint waitsFor)
    {
        _wait = WordWait.ForThisMachine();
        _control = control;
        _waiters = SharedRecord<ulong>.Of(ref waiters);
        _sequence = SharedRecord<uint>.Of(ref sequence);
        _wokenAt = SharedRecord<long>.Of(ref wokenAt);
        _waitsFor = waitsFor;
    }

    /// <summary>The longest sleep of a waiter that wakers are sure to see.</summary>
    public static TimeSpan LongestSleep
    {
        get
        {
            var longest = TimeSpan.FromMilliseconds(40);
            FaultPoints.SleepLonger(ref longest);
            return longest;
        }
    }

    /// <summary>The signal on which consumers sleep.</summary>
    public static WakeSignal ForRecords(ControlMap control) =>
        new(control, ref control.Header.Waiters, ref control.Header.WakeSequence, ref control.Header.WokenAt, ParticipantSlot.WaitsForRecord);

    /// <summary>The signal on which producers sleep.</summary>
    public static WakeSignal ForSpace(ControlMap control) =>
        new(control, ref control.Header.SpaceWaiters, ref control.Header.SpaceWakeSequence, ref control.Header.SpaceWokenAt, ParticipantSlot.WaitsForSpace);

    /// <summary>The step after a commit: wakes all waiters. Usually there are none, and then it must cost nothing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeWaiters()
    {
        ProcessFence.Light();
        var waiters = Volatile.Read(ref _waiters.Value);
        FaultPoints.ReplaceWaiters(ref waiters);
        if ((uint)waiters != 0)
        {
            WakeOrSettle((uint)(waiters >> 32));
        }
    }

    /// <summary>Wakes all sleepers.</summary>
    public void WakeAll()
    {
        Volatile.Write(ref _wokenAt.Value, Stopwatch.GetTimestamp());
        Interlocked.Increment(ref _sequence.Value);
        _wait.WakeAll(ref _sequence.Value);
    }

    /// <summary>The value that a sleep compares with; read before the last look.</summary>
    public uint Sequence => Volatile.Read(ref _sequence.Value);

    /// <summary>Begins a wait: from now on, wakers see the participant.</summary>
    /// <returns>How long a sleep may be.</returns>
    public TimeSpan BeginWait(int slot)
    {
        if (!_wait.NeedsWake)
        {
            return LongestSleep;
        }

        // It is counted before it is marked, and unmarked before it is uncounted: a death in between leaves the count one too high, but never too low.
        Interlocked.Add(ref _waiters.Value, OneNow + OneBegun);
        FaultPoints.Hit(FaultPoint.WaiterCounted);
        Volatile.Write(ref _control!.Participant(slot).Waiting, _waitsFor);
        FaultPoints.Hit(FaultPoint.WaiterMarked);
        return Fence();
    }

    /// <summary>Begins the waits of this process again, since wakers wake only once for a wait that has begun.</summary>
    /// <returns>How long a sleep may be.</returns>
    public TimeSpan BeginAgain()
    {
        if (!_wait.NeedsWake)
        {
            return LongestSleep;
        }

        Interlocked.Add(ref _waiters.Value, OneBegun);
        return Fence();
    }

    /// <summary>Ends a wait.</summary>
    public void EndWait(int slot)
    {
        if (_wait.NeedsWake)
        {
            Volatile.Write(ref _control!.Participant(slot).Waiting, ParticipantSlot.NotWaiting);
            FaultPoints.Hit(FaultPoint.WaiterUnmarked);
            Interlocked.Add(ref _waiters.Value, unchecked(0 - OneNow));
        }
    }

    /// <summary>Sleeps until the next wake; returns early if there was one since the sequence was read.</summary>
    /// <param name="seen">The sequence before the last look.</param>
    /// <param name="limit">The longest sleep.</param>
    /// <param name="round">The number of earlier sleeps of the same wait.</param>
    public void SleepUnlessWoken(uint seen, TimeSpan limit, int round) => _wait.Wait(ref _sequence.Value, seen, limit, round);

    /// <summary>Sleeps until a wake, unless the last look finds work; may return early.</summary>
    /// <param name="slot">The waiting participant.</param>
    /// <param name="waiter">Looks once more, at a time when a later commit is sure to wake this sleeper.</param>
    /// <param name="limit">The longest sleep that the caller accepts.</param>
    /// <param name="round">The number of earlier sleeps of the same wait.</param>
    /// <returns>The time from the wake until this thread ran, in ticks of the stopwatch; 0 if there was no wake.</returns>
    public long Sleep(int slot, IWaiter waiter, TimeSpan limit, int round)
    {
        var seen = Sequence;
        var longest = BeginWait(slot);
        try
        {
            if (!waiter.HasWork())
            {
                SleepUnlessWoken(seen, RestOfTime.Shortest(limit, longest, waiter.LongestSleep), round);
                return Sequence == seen ? 0 : Stopwatch.GetTimestamp() - Volatile.Read(ref _wokenAt.Value);
            }

            return 0;
        }
        finally
        {
            EndWait(slot);
        }
    }

    private static TimeSpan Fence() => ProcessFence.Heavy() ? LongestSleep : LongestUnfencedSleep;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WakeOrSettle(uint begunWaits)
    {
        if (begunWaits != _wokenWaits)
        {
            _wokenWaits = begunWaits;
            _idleWakes = 0;
            Interlocked.Increment(ref _control!.Header.Wakes);
            FaultPoints.Hit(FaultPoint.BeforeWake);
            WakeAll();
        }
        else if (++_idleWakes == IdleWakesBeforeSettling)
        {
            Settle();
        }
    }

    private void Settle()
    {
        try
        {
            DeadWaiters.CountOut(_control!);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or QueueCorruptedException)
        {
            // The commit is done, and must not fail. After as many wakes, the waker looks again.
            _idleWakes = 0;
        }
    }
}
