using System.Diagnostics;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>Reads the messages in place and adds them to the totals.</summary>
internal sealed class Reader(MessageConsumer<FileFoundBufferedMessage> consumer, Totals totals)
{
    public const string ConsumerName = "totals";

    private static readonly TimeSpan LookForStopEvery = TimeSpan.FromMilliseconds(100);

    // Their code is compiled while they are read.
    private const int FirstMessages = 64;

    private volatile bool _stop;
    private long _readingTicks;

    /// <summary>Messages read by this object.</summary>
    public long Messages { get; private set; }

    /// <summary>
    /// Managed bytes that were allocated while messages were at hand: from the moment the queue gives a message until it is committed. The first message is left out, because it loads code.
    /// </summary>
    public long MessageBytes { get; private set; }

    /// <summary>Managed bytes that the reading thread has allocated in its loop for anything: waiting and opening segment files too.</summary>
    public long ThreadBytes { get; private set; }

    /// <summary>Messages a second while there are any: the queue's own rate, which a slow walk does not change.</summary>
    public long Rate => _readingTicks == 0 ? 0 : (long)((Messages - FirstMessages) * (double)Stopwatch.Frequency / _readingTicks);

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
        }

        ThreadBytes = GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private bool TryRead(TimeSpan patience)
    {
        var start = Stopwatch.GetTimestamp();
        if (!consumer.TryRead(out var delivery))
        {
            if (!consumer.TryRead(out delivery, patience))
            {
                return false;
            }

            start = Stopwatch.GetTimestamp();
        }

        using (delivery)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            totals.Add(delivery.Message);
            delivery.Commit();
            MessageBytes += Messages == 0 ? 0 : GC.GetAllocatedBytesForCurrentThread() - before;
        }

        if (++Messages > FirstMessages)
        {
            _readingTicks += Stopwatch.GetTimestamp() - start;
        }

        return true;
    }
}
