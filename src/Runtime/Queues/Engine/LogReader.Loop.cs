using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>The loop over all records.</summary>
internal abstract unsafe partial class LogReader
{
    private bool _stop;

    /// <summary>Begins a loop over all records. Cancelling the token stops it, also when there is no end of records.</summary>
    public long BeginLoop(CancellationToken cancellationToken, out CancellationTokenRegistration registration)
    {
        var use = Enter();
        registration = cancellationToken.UnsafeRegister(
            static state =>
            {
                var reader = (LogReader)state!;
                Volatile.Write(ref reader._stop, true);
                reader.Records.WakeAll();
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
            Retreat();
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

        if (TakenBytes != 0)
        {
            Finish();
        }

        return TryTakeHere() || TryTakeFurther();
    }

    /// <summary>The loop's patient step: waits for the next record, or says why the loop ends.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool AwaitStep(long use, CancellationToken cancellationToken)
    {
        RequireOpen(use);
        if (TakenBytes != 0)
        {
            // The fast step was refused before it committed: the loop asked for the next record all the same.
            Finish();
        }

        return Await(Timeout.InfiniteTimeSpan, cancellationToken);
    }
}
