namespace BufferedMessages.CrossProcess;

internal static class QueueConsumerExtensions
{
    /// <summary>Waits for a message and commits it; null when none came in that time.</summary>
    public static byte[]? ReadCopy(this MessageConsumer<RawMessage> consumer, TimeSpan timeout)
    {
        if (!consumer.TryRead(out var delivery, timeout))
        {
            return null;
        }

        var payload = delivery.Message.Bytes.ToArray();
        delivery.Commit();
        return payload;
    }
}
