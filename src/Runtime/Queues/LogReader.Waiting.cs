using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>Waiting for a record, and the loop over all of them.</summary>
internal sealed unsafe partial class LogReader : IWaiter
{
    // A consumer that looks too often takes the cache line away from the producer each time: pauses double up to about a microsecond.
    private const int LongestPause = 32;
    private const int LongPauses = 16;
    private const int Yields = 8;

    private bool _stop;
    private CancellationToken _waitToken;

    bool IWaiter.HasWork() => Volatile.Read(ref _stop) || _waitToken.IsCancellationRequested || Look();

    /// <summary>Begins a loop over all records. Cancelling the token stops it, also when there is no end of records.</summary>
    public long BeginLoop(CancellationToken cancellationToken, out CancellationTokenRegistration registration)
    {
        var use = Enter();
        registration = cancellationToken.UnsafeRegister(
            static state =>
            {
                var reader = (LogReader)state!;
                Volatile.Write(ref reader._stop, true);
                reader.Signal.WakeAll();
            },
            this);
        return use;
    }

    /// <summary>Ends a loop; the record at hand stays uncommitted.</summary>
    public void EndLoop(long use, CancellationTokenRegistration registration)
    {
        if (IsOpen(use))
        {
            // Waits for a callback that runs right now, which uses the mapping.
            registration.Dispose();
            _stop = false;
            _recordBytes = 0;
            Exit();
        }
    }

    /// <summary>The loop's fast step: commits the record at hand and takes the next one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryStep(long use)
    {
        if (!IsOpen(use) || Volatile.Read(ref _stop))
        {
            return false;
        }

        Commit();
        return TryTakeHere() || Look();
    }

    /// <summary>The loop's patient step: waits for the next record, or says why the loop ends.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool AwaitStep(long use, CancellationToken cancellationToken)
    {
        RequireOpen(use);
        if (_recordBytes != 0)
        {
            // The fast step was refused before it committed: the loop asked for the next record all the same.
            Commit();
        }

        return Await(Timeout.InfiniteTimeSpan, cancellationToken);
    }

    /// <summary>Spins, yields, and then sleeps until there is a record.</summary>
    /// <returns>False when the time is over.</returns>
    private bool Await(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var start = Stopwatch.GetTimestamp();
        if (TrySpin(cancellationToken))
        {
            return true;
        }

        using var registration = cancellationToken.UnsafeRegister(static signal => ((WakeSignal)signal!).WakeAll(), Signal);
        _waitToken = cancellationToken;
        for (var round = 0; ; round++)
        {
            ThrowIfStopped(cancellationToken);
            if (Look())
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

    private bool TrySpin(CancellationToken cancellationToken)
    {
        var pause = 1;
        for (var longPauses = 0; longPauses < LongPauses; pause = Math.Min(pause * 2, LongestPause))
        {
            ThrowIfStopped(cancellationToken);
            Thread.SpinWait(pause);
            if (Look())
            {
                return true;
            }

            longPauses += pause == LongestPause ? 1 : 0;
        }

        for (var yields = 0; yields < Yields; yields++)
        {
            Thread.Yield();
            if (Look())
            {
                return true;
            }
        }

        return false;
    }

    private void ThrowIfStopped(CancellationToken cancellationToken)
    {
        // A record that the last look found is not delivered when this throws.
        _recordBytes = 0;
        cancellationToken.ThrowIfCancellationRequested();
        if (IsDisposed)
        {
            ThrowDisposed();
        }
    }
}
