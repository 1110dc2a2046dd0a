namespace BufferedMessages.Queues;

/// <content>The wait that blocks no thread, and the room that it looks for.</content>
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

    private void CountWait() => Interlocked.Increment(ref Control.Header.SpaceWaits);
}
