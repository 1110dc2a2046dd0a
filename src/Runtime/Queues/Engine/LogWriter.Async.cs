using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <content>The waits for room: one that blocks the thread and ends with a reservation, and one that blocks no thread and reserves nothing.</content>
internal abstract partial class LogWriter
{
    /// <summary>Waits, without blocking a thread, until there may be room. Nothing is reserved before the caller runs again, since a reservation holds up all others.</summary>
    /// <returns>False if the timeout has expired.</returns>
    public async ValueTask<bool> WaitForRoomAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _gate.Enter(this);
        try
        {
            if (IsReady())
            {
                return true;
            }

            if (timeout == TimeSpan.Zero)
            {
                return false;
            }

            CountWait();
            return await _waits.AwaitAsync(timeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _gate.Exit(this);
            Segments.Events.Tell();
        }
    }

    public bool IsReady()
    {
        var isReady = TryOpen(_wantedSegment);
        Segments.Events.Tell();
        return isReady;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool AwaitRoom(uint bytes, TimeSpan timeout, CancellationToken cancellationToken)
    {
        try
        {
            _wantedBytes = bytes;
            if (TryReserveSlow(bytes))
            {
                return true;
            }

            if (timeout != TimeSpan.Zero)
            {
                CountWait();
                if (_waits.Await(timeout, cancellationToken))
                {
                    return true;
                }
            }
        }
        catch (Exception exception)
        {
            // A listener may publish with this producer when the span ends, so the use ends first.
            _propertyBytes = 0;
            _gate.Exit(this);
            _span.Fail(exception);
            Segments.Events.Tell();
            throw;
        }

        _propertyBytes = 0;
        EndUnpublished();
        Segments.Events.Tell();
        return false;
    }

    private void CountWait() => Interlocked.Increment(ref Control.Header.SpaceWaits);
}
