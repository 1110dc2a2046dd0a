namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="RollsSession"/> that reads along.</summary>
internal static class RollsConsumer
{
    public const string Role = "rolls-consumer";

    public static void Serve(SessionOptions options)
    {
        while (PeerProcess.TryHearOrder(out var order))
        {
            if (order[0] == PeerProcess.FloorOrder)
            {
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                PeerProcess.Answer(0);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], RollsSession.Queue));
                using var consumer = queue.OpenConsumer<RawMessage>("session");
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                var allocated = GC.GetAllocatedBytesForCurrentThread();
                for (var i = 0L; i < order[2]; i++)
                {
                    using var message = consumer.Take(options.Wait);
                    message.Commit();
                }

                PeerProcess.Answer(GC.GetAllocatedBytesForCurrentThread() - allocated);
            }
        }
    }
}
