using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>The ladder of a wait: spin with growing pauses, yield, then sleep.</summary>
/// <param name="engine">The engine that waits.</param>
/// <param name="signal">The signal that wakes the engine.</param>
/// <param name="slot">The participant's number; not used by a signal that counts no waiters.</param>
/// <param name="asyncWaits">The asynchronous waits of the engine.</param>
internal sealed class WaitLadder(IWaitingEngine engine, WakeSignal signal, int slot, AsyncWaits asyncWaits) : IWaiter
{
    // An answer to a message that was just published arrives within a few looks; each pause is about 35 ns.
    private const int ShortPauses = 16;

    // Frequent looks take the cache line away from the other side each time, so the pauses double up to about a microsecond.
    private const int LongestPause = 32;
    private const int Looks = 36;
    private const int Yields = 8;

    private CancellationToken _waitToken;
    private int _looksOfLastSpin;

    public int Slot => slot;

    public TimeSpan LongestSleep => engine.LongestSleep;

    bool IWaiter.HasWork()
    {
        engine.BeginLook();
        return engine.IsDisposed || _waitToken.IsCancellationRequested || engine.TryProceed();
    }

    /// <summary>Requires a timeout that is not negative, or infinite.</summary>
    public static void RequireTimeout(TimeSpan timeout)
    {
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout must not be negative, except for Timeout.InfiniteTimeSpan.");
        }
    }

    /// <summary>Waits until the engine proceeds.</summary>
    /// <returns>False when the time is over.</returns>
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
        if (TrySpin(cancellationToken))
        {
            return true;
        }

        using var registration = WakeWhenCancelled(cancellationToken);
        _waitToken = cancellationToken;
        for (var round = 0; ; round++)
        {
            ThrowIfStopped(cancellationToken);
            if (engine.TryProceed())
            {
                return true;
            }

            var limit = TimeSpan.MaxValue;
            if (timeout != Timeout.InfiniteTimeSpan)
            {
                limit = timeout - Stopwatch.GetElapsedTime(start);
                if (limit <= TimeSpan.Zero)
                {
                    return false;
                }
            }

            signal.Sleep(slot, this, limit, round);
        }
    }

    /// <summary>Waits without holding a thread until the engine is ready. The engine's use stays open until the task is complete.</summary>
    /// <returns>False when the time is over.</returns>
    public async ValueTask<bool> AwaitAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var wait = new AsyncWait(this, timeout, cancellationToken);
        await using var registration = WakeWhenCancelled(cancellationToken).ConfigureAwait(false);
        asyncWaits.Add(wait);
        return await wait.Task.ConfigureAwait(false);
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

    private CancellationTokenRegistration WakeWhenCancelled(CancellationToken cancellationToken) =>
        cancellationToken.UnsafeRegister(static signal => ((WakeSignal)signal!).WakeAll(), signal);

    private bool TrySpin(CancellationToken cancellationToken)
    {
        var pause = engine.FirstPause(_looksOfLastSpin);
        for (var looks = 0; looks < Looks; looks++)
        {
            ThrowIfStopped(cancellationToken);
            Thread.SpinWait(pause);
            if (engine.TryProceed())
            {
                _looksOfLastSpin = looks;
                return true;
            }

            pause = looks < ShortPauses ? 1 : Math.Min(pause * 2, LongestPause);
        }

        for (var yields = 0; yields < Yields; yields++)
        {
            Thread.Yield();
            if (engine.TryProceed())
            {
                return true;
            }
        }

        _looksOfLastSpin = Looks;
        return false;
    }

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
