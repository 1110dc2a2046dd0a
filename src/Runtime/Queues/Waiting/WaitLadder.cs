using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>The ladder of a wait: look with growing pauses, let others run, then sleep. The strategy decides which of its steps are used.</summary>
/// <param name="engine">The engine that waits.</param>
/// <param name="signal">The signal that wakes the engine.</param>
/// <param name="slot">The participant's number; not used by a signal that counts no waiters.</param>
/// <param name="asyncWaits">The asynchronous waits of the engine.</param>
/// <param name="strategy">How to wait.</param>
internal sealed class WaitLadder(IWaitingEngine engine, WakeSignal signal, int slot, AsyncWaits asyncWaits, WaitStrategy strategy) : IWaiter
{
    // An answer to a message that was just published arrives within a few looks; each pause is about 37 ns.
    private const int ShortPauses = 16;

    // Frequent looks take the cache line away from the other side each time, so the pauses double up to about a microsecond.
    private const int LongestPause = 32;
    private const int Looks = 36;
    private const int FewestYields = 8;

    private static readonly long LongestYield = Stopwatch.Frequency / 1_000_000 * 50;

    private SpinBudget _budget = new();
    private LooksBeforeAwait _looksBeforeAwait;
    private AsyncWait? _asyncWait;
    private CancellationToken _waitToken;

    public int Slot => slot;

    public TimeSpan LongestSleep => engine.LongestSleep;

    bool IWaiter.HasWork()
    {
        engine.BeginLook();
        return engine.IsDisposed || _waitToken.IsCancellationRequested || engine.TryProceed();
    }

    /// <summary>Requires a timeout that is not negative, or infinite.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void RequireTimeout(TimeSpan timeout)
    {
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
        {
            RefuseTimeout(timeout);
        }
    }

    /// <summary>Waits until the engine proceeds.</summary>
    /// <returns>False if the timeout has expired.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The engine was disposed.</exception>
    public bool Await(TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (timeout == TimeSpan.Zero)
        {
            ThrowIfStopped(cancellationToken);
            return false;
        }

        // Reading the clock takes as long as a short pause.
        var start = timeout == Timeout.InfiniteTimeSpan ? 0 : Stopwatch.GetTimestamp();
        if (TryLook(cancellationToken))
        {
            return true;
        }

        return strategy switch
        {
            WaitStrategy.Spin => Spin(timeout, start, cancellationToken),
            WaitStrategy.Adaptive when _budget.IsWorthwhile && TryYield() => true,
            _ => Sleep(timeout, start, cancellationToken),
        };
    }

    /// <summary>
    /// Waits until the engine is ready: looks a few times, and then blocks no thread. The engine's use stays open until the task completes.
    /// </summary>
    /// <returns>False if the timeout has expired.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> AwaitAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (strategy != WaitStrategy.Block && TryLookBeforeAwait(cancellationToken))
        {
            return true;
        }

        var wait = _asyncWait ??= new AsyncWait(this);
        var task = wait.Begin(timeout, cancellationToken);
        await using var registration = WakeWhenCancelled(cancellationToken).ConfigureAwait(false);
        asyncWaits.Add(wait);
        return await task.ConfigureAwait(false);
    }

    /// <summary>The check by the thread of the asynchronous waits.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The engine was disposed.</exception>
    public bool IsReadyOrStopped(CancellationToken cancellationToken)
    {
        ThrowIfStopped(cancellationToken);
        engine.BeginLook();
        return engine.IsReady();
    }

    [DoesNotReturn]
    private static void RefuseTimeout(TimeSpan timeout) =>
        throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout must not be negative, except for Timeout.InfiniteTimeSpan.");

    private CancellationTokenRegistration WakeWhenCancelled(CancellationToken cancellationToken) =>
        cancellationToken.UnsafeRegister(static signal => ((WakeSignal)signal!).WakeAll(), signal);

    private bool TryLook(CancellationToken cancellationToken) => TryLook(
        strategy switch
        {
            WaitStrategy.Block => 1,
            WaitStrategy.Adaptive when !_budget.IsWorthwhile => ShortPauses,
            _ => Looks,
        },
        isAsync: false,
        cancellationToken);

    private bool TryLookBeforeAwait(CancellationToken cancellationToken)
    {
        var isFound = TryLook(_looksBeforeAwait.AreWorthwhile ? Looks : ShortPauses, isAsync: true, cancellationToken);
        _looksBeforeAwait.Count(isFound);
        return isFound;
    }

    /// <summary>Looks a few times, with growing pauses.</summary>
    private bool TryLook(int most, bool isAsync, CancellationToken cancellationToken)
    {
        var pause = engine.FirstPause();
        for (var looks = 0; looks < most; looks++)
        {
            ThrowIfStopped(cancellationToken);
            Thread.SpinWait(pause);
            if (isAsync ? engine.IsReady() : engine.TryProceed())
            {
                return true;
            }

            pause = looks < ShortPauses ? 1 : Math.Min(pause * 2, LongestPause);
        }

        return false;
    }

    /// <summary>Continues to look as long as that is likely to cost less than a sleep, and lets other threads run in between.</summary>
    private bool TryYield()
    {
        var now = Stopwatch.GetTimestamp();
        var end = now + _budget.Ticks;
        for (var yields = 0; yields < FewestYields || now < end; yields++)
        {
            Thread.Yield();
            if (engine.TryProceed())
            {
                return true;
            }

            // Another thread used the core: there are too few cores for a wait that does not sleep.
            var before = now;
            now = Stopwatch.GetTimestamp();
            if (now - before > LongestYield)
            {
                return false;
            }
        }

        return false;
    }

    private bool Spin(TimeSpan timeout, long start, CancellationToken cancellationToken)
    {
        while (true)
        {
            ThrowIfStopped(cancellationToken);
            if (engine.TryProceed())
            {
                return true;
            }

            if (Rest(timeout, start) <= TimeSpan.Zero)
            {
                return false;
            }

            Thread.SpinWait(ShortPauses);
        }
    }

    private bool Sleep(TimeSpan timeout, long start, CancellationToken cancellationToken)
    {
        using var registration = WakeWhenCancelled(cancellationToken);
        _waitToken = cancellationToken;
        var wakeCost = 0L;
        var begin = Stopwatch.GetTimestamp();
        for (var round = 0; ; round++)
        {
            ThrowIfStopped(cancellationToken);
            if (engine.TryProceed())
            {
                _budget.Count(Stopwatch.GetTimestamp() - begin, wakeCost);
                return true;
            }

            var rest = Rest(timeout, start);
            if (rest <= TimeSpan.Zero)
            {
                _budget.CountTimeout(Stopwatch.GetTimestamp() - begin);
                return false;
            }

            wakeCost = signal.Sleep(slot, this, rest, round);
        }
    }

    private static TimeSpan Rest(TimeSpan timeout, long start) =>
        timeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : timeout - Stopwatch.GetElapsedTime(start);

    private void ThrowIfStopped(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested || engine.IsDisposed)
        {
            engine.Rollback();
            cancellationToken.ThrowIfCancellationRequested();
            UseGate.ThrowDisposed(engine);
        }
    }
}
