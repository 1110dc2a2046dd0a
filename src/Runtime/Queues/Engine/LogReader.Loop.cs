using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <content>The loop over all records. The current record is committed when the loop asks for the next one.</content>
internal abstract unsafe partial class LogReader
{
    private bool _isStopped;

    // The number of the loop's use; 0 if no loop is open.
    private long _loop;

    // The place of a payload: all records before it are committed with a later one. 0 if each is committed by itself.
    private ulong _deferredBefore;

    /// <summary>The loop may leave the commit of a record to a later one.</summary>
    protected bool DefersCommits { get; init; }

    /// <summary>The number of records that the loop has finished but that are not committed yet.</summary>
    protected long HandledMessages { get; private set; }

    /// <summary>The number of bytes of their payloads.</summary>
    protected long HandledPayloadBytes { get; private set; }

    /// <summary>Begins a loop over all records. Cancelling the token stops it, even if the records never end.</summary>
    public long BeginLoop(CancellationToken cancellationToken, out CancellationTokenRegistration registration)
    {
        if (IsDelivering)
        {
            UseGate.ThrowInUse();
        }

        _loop = _gate.Enter(this);
        registration = cancellationToken.UnsafeRegister(
            static state =>
            {
                var reader = (LogReader)state!;
                Volatile.Write(ref reader._isStopped, true);
                reader.Records.WakeAll();
            },
            this);
        return _loop;
    }

    /// <summary>Ends a loop; the current record stays uncommitted.</summary>
    public void EndLoop(long loop, CancellationTokenRegistration registration)
    {
        if (_loop == loop)
        {
            // Waits for a running callback, which uses the mapping.
            registration.Dispose();
            EndLoop();
        }
    }

    /// <summary>The loop's fast step: commits the current record and takes the next one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryStep(long loop)
    {
        if (_loop != loop || Volatile.Read(ref _isStopped))
        {
            return false;
        }

        FinishTaken();
        if (!TryTake() && !TryTakeSlow())
        {
            CloseNumber();
            return false;
        }

        OpenDelivery();
        return true;
    }

    /// <summary>The loop's slow step: waits for the next record, or reports why the loop ends.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool AwaitStep(long loop, CancellationToken cancellationToken)
    {
        RequireLoop(loop);

        // The loop has asked for the next record even if the fast step was refused before its commit.
        FinishTaken();
        CloseNumber();
        _waits.Await(Timeout.InfiniteTimeSpan, cancellationToken);
        OpenDelivery();
        return true;
    }

    /// <summary>Requires that no loop is open.</summary>
    protected void RequireNoLoop()
    {
        if (_loop != 0)
        {
            UseGate.ThrowInUse();
        }
    }

    /// <summary>Begins to defer the commits of the loop's current record, and of those after it, to a later one; false if the current one must be committed now.</summary>
    protected virtual bool TryBeginBatch() => false;

    /// <summary>Defers the commits of all records before an offset to the record there.</summary>
    protected void DeferCommitsBefore(long offset) => _deferredBefore = PayloadAt(offset, 0);

    /// <summary>Notes that the records that the loop has finished are committed.</summary>
    protected void ForgetHandled() => (HandledMessages, HandledPayloadBytes, _deferredBefore) = (0, 0, 0);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void FinishTaken()
    {
        if (TakenBytes == 0)
        {
            return;
        }

        if (DefersCommits && (_payload < _deferredBefore || TryBeginBatch()))
        {
            TakenBytes = 0;
            HandledMessages++;
            HandledPayloadBytes += PayloadBytes;
        }
        else
        {
            Finish();
        }
    }

    private void RequireLoop(long loop)
    {
        if (_loop != loop)
        {
            throw new ObjectDisposedException(ObjectName, "This loop has ended. Begin another one with ReadAll.");
        }
    }

    private void EndLoop()
    {
        _isStopped = false;
        _loop = 0;
        CloseNumber();
        Rollback();
        _gate.Exit(this);
    }
}
