using BufferedMessages.Queues;

namespace BufferedMessages;

/// <content>What is on the disk, and what stays there.</content>
public sealed partial class MessageQueue
{
    /// <summary>
    /// What was repaired when this handle was opened, after the machine had stopped; null when there was nothing to do, since the machine
    /// runs still, or another handle did it.
    /// </summary>
    public QueueRecovery? Recovery => _control.Recovery;

    /// <summary>
    /// The position behind the last message that consumers can reach: a record that is begun and not finished, and what lies behind it, is not
    /// counted. Disturbs nobody.
    /// </summary>
    /// <exception cref="QueueCorruptedException">The newest segment is damaged.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public long PublishedPosition => Use(Queues.PublishedPosition.Of);

    /// <summary>What lies before this position is on the disk; it is where the last flush of any process ended. 0 in a bounded queue.</summary>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public long DurablePosition => Use(control => control.Flusher.DurablePosition);

    /// <summary>
    /// Writes all messages up to <see cref="PublishedPosition"/> and the positions of consumers to the disk, in any flush mode, and waits for
    /// that. For a message behind a record that another producer has not finished use <see cref="WaitForDurable"/>, which waits for that one.
    /// </summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    /// <exception cref="InvalidOperationException">The queue is bounded.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public void Flush() => Use(control =>
    {
        RequireDurable(control);
        control.Flusher.Wait(Queues.PublishedPosition.Of(control) - 1, Timeout.InfiniteTimeSpan, CancellationToken.None);
        control.FlushToDisk();
        return true;
    });

    /// <summary>
    /// Waits until the message at a position, and all before it, are on the disk. Does not wait for the next background flush: it flushes,
    /// in any flush mode and from any process, unless somebody else has done it.
    /// </summary>
    /// <param name="position">As <c>Publish</c> returned it or a delivery has it. Where no message is yet there is nothing to wait for.</param>
    /// <param name="timeout">How long to wait for others; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False when a record in front was not finished, or another flush not over, in that time.</returns>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <exception cref="InvalidOperationException">The queue is bounded.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public bool WaitForDurable(long position, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        WaitLadder.RequireTimeout(timeout);
        return Use(control =>
        {
            RequireDurable(control);
            return control.Flusher.Wait(position, timeout, cancellationToken);
        });
    }

    /// <summary>As <see cref="WaitForDurable"/>, without holding a thread while others flush.</summary>
    /// <inheritdoc cref="WaitForDurable"/>
    public async ValueTask<bool> WaitForDurableAsync(long position, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        WaitLadder.RequireTimeout(timeout);
        AddUse();
        try
        {
            RequireDurable(_control);
            return await _control.Flusher.WaitAsync(position, timeout, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _control.Release();
        }
    }

    /// <summary>Deletes now what the queue's retention gives up; producers do it whenever they open a segment. Nothing in a bounded queue.</summary>
    /// <exception cref="QueueInUseException">Somebody has been changing the queue's tables for 30 seconds, for example a process that is stopped.</exception>
    /// <exception cref="ObjectDisposedException">The queue is disposed.</exception>
    public void ApplyRetention() => Use(control =>
    {
        if (control.Mode == QueueMode.Durable)
        {
            using var registrar = Registrar.Acquire(control);
            Retention.Apply(control);
            WakeSignal.ForSpace(control).WakeAll();
        }

        return true;
    });

    private static void RequireDurable(ControlFile control)
    {
        if (control.Mode != QueueMode.Durable)
        {
            throw new InvalidOperationException($"The queue in '{control.Directory}' is bounded, and is never written to the disk. Use a durable queue.");
        }
    }
}
