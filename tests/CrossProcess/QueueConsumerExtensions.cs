namespace BufferedMessages.CrossProcess;

internal static class QueueConsumerExtensions
{
    /// <summary>Waits for a message and commits it; null when none came in that time.</summary>
    public static byte[]? ReadCopy(this QueueConsumer consumer, TimeSpan timeout)
    {
        if (!consumer.TryRead(out var lease, timeout))
        {
            return null;
        }

        var payload = lease.Payload.ToArray();
        lease.Commit();
        return payload;
    }
}
