using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>
/// Producers publish and consumers read in place, as fast as they can, each in a process of its own. The time runs from the first publish to
/// the last commit, on the machine's monotonic clock. Before each round the first producer and the first consumer pass as many messages
/// over a bare ring.
/// </summary>
internal static class ThroughputSession
{
    /// <summary>Loops are cut into calls, so that the compiler's second tier replaces them while they warm up.</summary>
    public const int BatchMessages = 10_000;

    private const int FirstMessages = 1_000;
    private const int FewestMessages = 100;
    private const long LongestRoundBytes = 1024 * 1024 * 1024;

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        using var memory = SharedMemory.Create(directory.Path, options.RingBytes);
        using var consumers = new PeerGroup(ThroughputConsumer.Role, options.Consumers, options);
        using var producers = new PeerGroup(ThroughputProducer.Role, options.Producers, options);
        var session = new Rounds(options, memory, producers, consumers);
        var warm = session.Warm();
        var queueMessages = options.Messages ?? session.Fit(warm.Rate);
        var floorMessages = options.Messages ?? session.Fit(warm.FloorRate);
        var rounds = new List<Round>();
        while (rounds.Count < options.Rounds)
        {
            var round = session.Run(queueMessages, floorMessages);
            rounds.Add(round);
            Report.Progress($"round {rounds.Count}: {round.Rate:N0} messages per second, floor {round.FloorRate:N0}, ratio {Report.Number(round.Rate / round.FloorRate, "0.00")}");
        }

        return new SessionResult("throughput", options)
        {
            MessagesPerSecond = Figures.Median(rounds.Select(round => round.Rate)),
            AllocatedBytesPerMessage = rounds.Sum(round => (double)round.AllocatedBytes) / ((double)queueMessages * rounds.Count),
            FloorMessagesPerSecond = Figures.Median(rounds.Select(round => round.FloorRate)),
            FloorRatio = Figures.Median(rounds.Select(round => round.Rate / round.FloorRate)),
        };
    }

    private readonly record struct Round(double Rate, double FloorRate, long AllocatedBytes);

    private sealed unsafe class Rounds(SessionOptions options, SharedMemory memory, PeerGroup producers, PeerGroup consumers)
    {
        private long _round;

        /// <summary>Runs rounds that are not counted.</summary>
        public Round Warm()
        {
            var messages = FirstMessages;
            var round = new Round(messages, messages, 0);
            var start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(start) < options.Warmup)
            {
                round = Run(messages, messages);
                Report.Progress($"warm-up: {round.Rate:N0} messages per second, floor {round.FloorRate:N0}");
                messages = Math.Min(Fit(round.Rate), 10 * messages);
            }

            return round;
        }

        /// <summary>Messages of a round.</summary>
        public int Fit(double rate) =>
            (int)Math.Clamp(rate * options.RoundTime.TotalSeconds, FewestMessages, LongestRoundBytes / 2.0 / options.RecordBytes);

        public Round Run(long queueMessages, long floorMessages)
        {
            var floorRate = RunFloor(floorMessages);
            var (rate, allocated) = RunQueue(queueMessages);
            return new Round(rate, floorRate, allocated);
        }

        private double RunFloor(long messages)
        {
            PeerProcess[] peers = [consumers.First, producers.First];
            Array.ForEach(peers, peer => peer.Order(PeerProcess.FloorOrder, messages));
            Array.ForEach(peers, peer => peer.Hear());
            Array.ForEach(peers, peer => peer.Order());
            var start = producers.First.Hear()[0];
            var read = consumers.First.Hear();
            Require(read[3] == SumOf(messages), "bare ring");
            return messages / Stopwatch.GetElapsedTime(start, read[0]).TotalSeconds;
        }

        private (double Rate, long AllocatedBytes) RunQueue(long messages)
        {
            var share = Math.Max(messages / options.Producers, 1);
            var round = _round++;
            SessionDirectory.CreateQueue(options, round);

            // The first part takes a bounded queue once around, so that its pages are there.
            var firstShare = options.Mode == QueueMode.Bounded ? options.RingBytes / options.RecordBytes / options.Producers : Math.Min(BatchMessages, messages);
            consumers.Order(PeerProcess.QueueOrder, round, firstShare, share);
            consumers.Hear();
            producers.Order(PeerProcess.QueueOrder, round, firstShare, share);
            producers.Hear();
            RunPart(firstShare);
            var figures = RunPart(share);
            SessionDirectory.DeleteQueue(options, round);
            return figures;
        }

        private (double Rate, long AllocatedBytes) RunPart(long share)
        {
            Volatile.Write(ref *memory.BusyProducers, options.Producers);

            // Consumers go first and wait: so they are measured as they are in use.
            consumers.Order();
            producers.Order();
            var published = producers.Hear();
            var read = consumers.Hear();
            var messages = share * options.Producers;
            var readers = options.IsGroup ? 1 : options.Consumers;
            Require(
                read.Sum(figures => figures[2]) == messages * readers && read.Sum(figures => figures[3]) == SumOf(share) * options.Producers * readers,
                "queue");
            var seconds = Stopwatch.GetElapsedTime(published.Min(figures => figures[0]), read.Max(figures => figures[0])).TotalSeconds;
            return (messages / seconds, published.Sum(figures => figures[1]) + read.Sum(figures => figures[1]));
        }

        private static long SumOf(long messages) => messages * (messages - 1) / 2;

        private static void Require(bool isRight, string what)
        {
            if (!isRight)
            {
                throw new InvalidOperationException($"Messages of the {what} are missing, or are not what was published.");
            }
        }
    }
}
