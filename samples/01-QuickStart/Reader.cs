namespace BufferedMessages.Samples.QuickStart;

/// <summary>Reads the messages in place and adds them to the totals.</summary>
internal sealed class Reader(MessageConsumer<FileFoundBufferedMessage> consumer, Totals totals)
{
    public const string ConsumerName = "totals";

    private static readonly TimeSpan LookForStopEvery = TimeSpan.FromMilliseconds(100);

    private volatile bool _stop;

    /// <summary>Messages read by this object.</summary>
    public long Messages { get; private set; }

    /// <summary>
    /// Managed bytes that the reading thread has allocated in its loop: waiting, reading, counting and committing, everything from the
    /// first message to the last. Drawing the table is another thread's work and not in it.
    /// </summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>Makes <see cref="ReadToEnd"/> return. From any thread.</summary>
    public void Stop() => _stop = true;

    /// <summary>Reads what is published already, without waiting.</summary>
    public void ReadPublished()
    {
        while (TryRead(TimeSpan.Zero))
        {
        }
    }

    /// <summary>Reads until the walk has ended.</summary>
    public void ReadToEnd()
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        while (totals.End.Number == 0 && !_stop)
        {
            TryRead(LookForStopEvery);
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private bool TryRead(TimeSpan patience)
    {
        if (!consumer.TryRead(out var lease, patience))
        {
            return false;
        }

        using (lease)
        {
            totals.Add(lease.Message);
            lease.Commit();
        }

        Messages++;
        return true;
    }
}
