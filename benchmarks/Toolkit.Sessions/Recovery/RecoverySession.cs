using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>
/// How long a queue stands still when a producer is killed in the middle of a message: from the kill until a consumer that waits at
/// that message has the next one, of another producer. The floor is when the system says that the process is gone.
/// </summary>
internal static class RecoverySession
{
    private const int DefaultDeaths = 10;

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        SessionDirectory.CreateQueue(options, 0);
        using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, 0));
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("session");
        var deaths = new Deaths(options, producer, consumer);
        if (options.Warmup > TimeSpan.Zero)
        {
            deaths.Run(1);
        }

        var rounds = new List<PairSession.Round>();
        while (rounds.Count < options.Rounds)
        {
            var round = deaths.Run(options.Messages ?? DefaultDeaths);
            rounds.Add(round);
            Report.Progress($"round {rounds.Count}: p50 {Report.Time(round.Quantiles[0])}, floor {Report.Time(round.Floor)}");
        }

        return PairSession.Summarise(new SessionResult("recovery", options), options.Messages ?? DefaultDeaths, rounds) with { AllocatedBytesPerMessage = null };
    }

    private sealed class Deaths(SessionOptions options, MessageProducer producer, MessageConsumer<RawMessage> consumer)
    {
        public PairSession.Round Run(int deaths)
        {
            var times = new long[deaths];
            var floors = new long[deaths];
            for (var i = 0; i < deaths; i++)
            {
                (times[i], floors[i]) = Kill();
            }

            return new PairSession.Round(Figures.Quantiles(times), Figures.Quantiles(floors), AllocatedBytes: 0);
        }

        private (long Nanoseconds, long Floor) Kill()
        {
            var victim = PeerProcess.Start(RecoveryVictim.Role, options);
            var reader = new Thread(Read);
            try
            {
                victim.Order(0);
                victim.Hear();
                producer.Publish(new byte[options.PayloadBytes]);
                reader.Start();
            }
            catch
            {
                victim.Dispose();
                throw;
            }

            var start = Stopwatch.GetTimestamp();
            victim.Dispose();
            var gone = Stopwatch.GetTimestamp();
            reader.Join();
            return (Figures.Nanoseconds(_readAt - start), Figures.Nanoseconds(gone - start));
        }

        private long _readAt;

        private void Read()
        {
            using var message = consumer.Take(options.Wait);
            _readAt = Stopwatch.GetTimestamp();
            message.Commit();
        }
    }
}
