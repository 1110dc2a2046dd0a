using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>The ladder of a wait: spin with growing pauses, yield, then sleep.</summary>
internal abstract partial class Participant : IWaiter
{
    // An answer to what was just published is there within a few looks; each pause is about 35 ns.
    private const int ShortPauses = 16;

    // A waiter that looks too often takes the cache line away from the other side each time: pauses double up to about a microsecond.
    private const int LongestPause = 32;
    private const int Looks = 36;
    private const int Yields = 8;

    private CancellationToken _waitToken;

    /// <summary>How long this participant may sleep without looking.</summary>
    public virtual TimeSpan LongestSleep => Suspicion.LongestSleep;

    /// <summary>What this participant waits on.</summary>
    protected abstract WakeSignal Signal { get; }

    bool IWaiter.HasWork()
    {
        Suspicion.BeginLook();
        return IsDisposed || _waitToken.IsCancellationRequested || TryProceed();
    }

    /// <summary>Requires a timeout that means something.</summary>
    public static void RequireTimeout(TimeSpan timeout)
    {
        if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout must not be negative, except for Timeout.InfiniteTimeSpan.");
        }
    }

    /// <summary>Does what the participant waits for, if that is possible now. May do it in the last look before a sleep; then it must say so again.</summary>
    protected abstract bool TryProceed();

    /// <summary>Undoes what the last look did, when the wait ends all the same.</summary>
    protected abstract void Retreat();

    /// <summary>How many looks the last spin took that came to nothing.</summary>
    protected int LooksOfLastSpin { get; private set; }

    /// <summary>The pause before the first look of a spin, in units of about 35 ns.</summary>
    protected virtual int FirstPause() => 1;

    /// <summary>Waits until <see cref="TryProceed"/> succeeds.</summary>
    /// <returns>False when the time is over.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The participant was disposed.</exception>
    protected bool Await(TimeSpan timeout, CancellationToken cancellationToken)
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

        using var registration = cancellationToken.UnsafeRegister(static signal => ((WakeSignal)signal!).WakeAll(), Signal);
        _waitToken = cancellationToken;
        for (var round = 0; ; round++)
        {
            ThrowIfStopped(cancellationToken);
            if (TryProceed())
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

            Signal.Sleep(Seat.Slot, this, limit, round);
        }
    }

    /// <summary>Waits without a thread of its own until the participant is ready.</summary>
    /// <returns>False when the time is over.</returns>
    public async ValueTask<bool> WaitAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        RequireTimeout(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        Enter();
        var isBegun = false;
        try
        {
            if (timeout == TimeSpan.Zero ? IsReadyNow() : IsReady())
            {
                return true;
            }

            isBegun = timeout != TimeSpan.Zero;
        }
        finally
        {
            if (!isBegun)
            {
                EndAsyncUse();
            }
        }

        if (!isBegun)
        {
            return false;
        }

        var wait = new AsyncWait(this, timeout, cancellationToken);
        await using var registration = cancellationToken.UnsafeRegister(static signal => ((WakeSignal)signal!).WakeAll(), Signal).ConfigureAwait(false);
        AsyncWaits.Add(wait);
        return await wait.Task.ConfigureAwait(false);
    }

    /// <summary>A look of the waiting thread.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The participant was disposed.</exception>
    public bool IsReadyOrStopped(CancellationToken cancellationToken)
    {
        ThrowIfStopped(cancellationToken);
        Suspicion.BeginLook();
        return IsReady();
    }

    /// <summary>Ends the use that an asynchronous wait is.</summary>
    public void EndAsyncUse()
    {
        Retreat();
        Exit();
    }

    /// <summary>What an asynchronous wait waits for; unlike a blocking one, it holds nothing when it succeeds.</summary>
    protected virtual bool IsReady() => TryProceed();

    /// <summary>The only look of an asynchronous wait that may take no time.</summary>
    protected virtual bool IsReadyNow() => IsReady();

    /// <summary>The thread that sleeps for this participant and others.</summary>
    protected abstract AsyncWaits AsyncWaits { get; }

    private bool TrySpin(CancellationToken cancellationToken)
    {
        var pause = FirstPause();
        for (var looks = 0; looks < Looks; looks++)
        {
            ThrowIfStopped(cancellationToken);
            Thread.SpinWait(pause);
            if (TryProceed())
            {
                LooksOfLastSpin = looks;
                return true;
            }

            pause = looks < ShortPauses ? 1 : Math.Min(pause * 2, LongestPause);
        }

        for (var yields = 0; yields < Yields; yields++)
        {
            Thread.Yield();
            if (TryProceed())
            {
                return true;
            }
        }

        LooksOfLastSpin = Looks;
        return false;
    }

    private void ThrowIfStopped(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested || IsDisposed)
        {
            Retreat();
            cancellationToken.ThrowIfCancellationRequested();
            ThrowDisposed();
        }
    }
}
