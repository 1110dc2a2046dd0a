namespace BufferedMessages.Sessions;

/// <summary>How a consumer waits for a message.</summary>
internal enum WaitMode
{
    /// <summary>As the queue does it: looks for some microseconds, then sleeps.</summary>
    Block,

    /// <summary>Looks again and again, and never sleeps.</summary>
    Spin,

    /// <summary>Awaits.</summary>
    Async,
}

/// <summary>Takes messages in a wait mode.</summary>
internal static class WaitModeExtensions
{
    public static QueueLease Take(this QueueConsumer consumer, WaitMode wait)
    {
        QueueLease lease;
        switch (wait)
        {
            case WaitMode.Spin:
                while (!consumer.TryRead(out lease))
                {
                    Thread.SpinWait(1);
                }

                return lease;
            case WaitMode.Async:
                while (!consumer.TryRead(out lease))
                {
                    consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan).AsTask().GetAwaiter().GetResult();
                }

                return lease;
            default:
                consumer.TryRead(out lease, Timeout.InfiniteTimeSpan);
                return lease;
        }
    }
}
