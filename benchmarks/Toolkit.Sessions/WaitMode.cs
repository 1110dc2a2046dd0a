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
    public static Delivery<RawMessage> Take(this MessageConsumer<RawMessage> consumer, WaitMode wait)
    {
        Delivery<RawMessage> delivery;
        switch (wait)
        {
            case WaitMode.Spin:
                while (!consumer.TryRead(out delivery))
                {
                    Thread.SpinWait(1);
                }

                return delivery;
            case WaitMode.Async:
                while (!consumer.TryRead(out delivery))
                {
                    consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan).AsTask().GetAwaiter().GetResult();
                }

                return delivery;
            default:
                consumer.TryRead(out delivery, Timeout.InfiniteTimeSpan);
                return delivery;
        }
    }
}
