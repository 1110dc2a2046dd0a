using BufferedMessages.Queues;

namespace BufferedMessages;

/// <content>The durable position, flushing and retention.</content>
public sealed partial class MessageQueue
{
    /// <summary>
    /// Gets the result of the repair that this handle ran after a crash of the machine: when it was opened, or, if <see cref="OpenExisting"/> opened it, before it first changed the
    /// queue. Null if there was nothing to repair, or if another handle did it.
    /// </summary>
    public QueueRecovery? Recovery => _handle.Recovery;

    /// <summary>
    /// Gets the position after the last message that consumers can reach: an unfinished record, and everything after it, is not counted. Holds up no
    /// other participant.
    /// </summary>
    /// <exception cref="QueueCorruptedException">The newest segment is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public long PublishedPosition => Use(static handle =>
    {
        // A ring that is mapped can be read without its files.
        handle.Segments.RequireFiles();
        return Queues.PublishedPosition.Of(handle.Segments);
    });

    /// <summary>Gets the position before which everything is on the disk: where the last flush of any process ended. 0 in a bounded queue.</summary>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public long DurablePosition => Use(static handle => handle.Flusher.DurablePosition);

    /// <summary>
    /// Writes all messages up to <see cref="PublishedPosition"/> and the cursors of consumers to the disk, in any flush mode, and waits until they are
    /// there. For a message after another producer's unfinished record, use <see cref="WaitForDurable"/>, which waits for that record.
    /// </summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    /// <exception cref="DiskFullException">The disk has no room for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
    /// <exception cref="QueueInUseException">After a crash of the machine, a process has been repairing the queue, or changing its tables, for 30 seconds.</exception>
    /// <exception cref="QueueCorruptedException">A record that is to be flushed, or the control file, is damaged.</exception>
    /// <exception cref="InvalidOperationException">The queue is bounded.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading; <see cref="DurablePosition"/> shows the flushes of others.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public void Flush() => Use(handle =>
    {
        PrepareFlush(handle);
        handle.Flusher.FlushPublished();
        handle.Control.FlushToDisk();
        return true;
    });

    /// <summary>
    /// Waits until the message at a position, and all before it, are on the disk. It does not wait for the next background flush: unless another thread
    /// or process has already flushed the message, it flushes itself, in any flush mode and from any process.
    /// </summary>
    /// <param name="position">
    /// As <c>Publish</c> returned it or a delivery has it. For a position after the last message, it waits for all messages that are already published, but not for later ones.
    /// </param>
    /// <param name="timeout">How long to wait for others; <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>False if an earlier record was not finished, or another flush did not end, within the timeout.</returns>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    /// <exception cref="DiskFullException">The disk has no room for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
    /// <exception cref="QueueInUseException">After a crash of the machine, a process has been repairing the queue, or changing its tables, for 30 seconds.</exception>
    /// <exception cref="QueueCorruptedException">A record that is to be flushed is damaged.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <exception cref="InvalidOperationException">The queue is bounded.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading; <see cref="DurablePosition"/> shows the flushes of others.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public bool WaitForDurable(long position, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        WaitLadder.RequireTimeout(timeout);
        return Use(handle =>
        {
            PrepareFlush(handle);
            return handle.Flusher.Wait(position, timeout, cancellationToken);
        });
    }

    /// <summary>Waits as <see cref="WaitForDurable"/> does, without blocking a thread while others flush.</summary>
    /// <inheritdoc cref="WaitForDurable"/>
    public async ValueTask<bool> WaitForDurableAsync(long position, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        WaitLadder.RequireTimeout(timeout);
        AddUse();
        try
        {
            PrepareFlush(_handle);
            return await _handle.Flusher.WaitAsync(position, timeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _handle.Release();
        }
    }

    /// <summary>Applies the queue's retention now, deleting everything that it does not keep. Producers do so whenever they open a segment. Does nothing in a bounded queue.</summary>
    /// <exception cref="QueueInUseException">A process has been changing the queue's tables for 30 seconds, for example because it is suspended.</exception>
    /// <exception cref="QueueCorruptedException">The newest segment is missing, or the control file is damaged.</exception>
    /// <exception cref="DiskFullException">The disk has no room for a copy of the bytes that the repair after a crash of the machine cuts off.</exception>
    /// <exception cref="UnauthorizedAccessException">The queue was opened for reading.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced since it was opened.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public void ApplyRetention() => Use(handle =>
    {
        RequireWritable();
        if (handle.Segments is FileSegments segments)
        {
            handle.RecoverIfNeeded();
            using (MembershipLock.Acquire(handle.Control))
            {
                Retention.Apply(segments);
                WakeSignal.ForSpace(handle.Control).WakeAll();
            }

            handle.Events.Tell();
        }

        return true;
    });

    // A flush stores the durable position. The repair comes before that: a flush would confirm records that a crash of the machine has torn.
    private void PrepareFlush(QueueHandle handle)
    {
        RequireWritable();
        if (handle.Control.Mode != QueueMode.Durable)
        {
            throw new InvalidOperationException($"The queue in '{handle.Directory}' is bounded, and is never written to the disk. Use a durable queue.");
        }

        handle.Control.RequireFile();
        handle.RecoverIfNeeded();
    }
}
