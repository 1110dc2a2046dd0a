namespace BufferedMessages.Sessions;

/// <summary>The process of <see cref="RecoverySession"/> that is killed with a message half written.</summary>
internal static class RecoveryVictim
{
    public const string Role = "recovery-victim";

    public static void Serve(SessionOptions options)
    {
        while (PeerProcess.TryHearOrder(out var order))
        {
            using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[0]));
            using var producer = queue.OpenProducer();
            using var claim = producer.Claim(options.PayloadBytes);
            PeerProcess.Answer();
            Thread.Sleep(Timeout.Infinite);
        }
    }
}
