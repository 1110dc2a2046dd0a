using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>
/// A consumer that is a gigabyte behind, of a durable queue whose producer goes on at a fixed rate: messages per second until it has caught up.
/// The floor reads the bytes of the same segments with plain reads.
/// </summary>
internal static class CatchUpSession
{
    private const long BacklogBytes = 1024 * 1024 * 1024;

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path, Mode = QueueMode.Durable };
        using var memory = SharedMemory.Create(directory.Path);
        using var consumer = PeerProcess.Start(CatchUpConsumer.Role, options);
        using var producer = PeerProcess.Start(CatchUpProducer.Role, options);
        var backlog = options.Messages ?? BacklogBytes / options.RecordBytes;
        var rounds = new List<Round>();
        for (var round = 0; round <= options.Rounds; round++)
        {
            var figures = RunRound(options, memory, producer, consumer, round, backlog);
            Report.Progress($"{(round == 0 ? "warm-up" : $"round {round}")}: {figures.Rate:N0} messages per second, floor {figures.FloorRate:N0}, {figures.Messages:N0} messages in {Report.Time((long)(figures.Messages / figures.Rate * 1e9))}");
            rounds.Add(figures);
        }

        // The first one warms up.
        rounds.RemoveAt(0);
        return new SessionResult("catch-up", options)
        {
            Rate = options.Rate,
            MessagesPerSecond = Figures.Median(rounds.Select(round => round.Rate)),
            AllocatedBytesPerMessage = rounds.Average(round => round.AllocatedBytes / round.Messages),
            FloorMessagesPerSecond = Figures.Median(rounds.Select(round => round.FloorRate)),
            FloorRatio = Figures.Median(rounds.Select(round => round.Rate / round.FloorRate)),
        };
    }

    private readonly record struct Round(double Messages, double Rate, double FloorRate, double AllocatedBytes);

    private static unsafe Round RunRound(SessionOptions options, SharedMemory memory, PeerProcess producer, PeerProcess consumer, int round, long backlog)
    {
        SessionDirectory.CreateQueue(options, round);
        Volatile.Write(ref *memory.BusyProducers, 1);
        producer.Order(round, backlog);
        producer.Hear();
        consumer.Order(round);
        consumer.Hear();
        producer.Order();
        consumer.Order();
        var read = consumer.Hear();
        Volatile.Write(ref *memory.BusyProducers, 0);
        producer.Hear();
        SessionDirectory.DeleteQueue(options, round);
        if (read[1] < backlog)
        {
            throw new InvalidOperationException($"The consumer found {read[1]} messages instead of {backlog} or more.");
        }

        return new Round(read[1], read[1] / Seconds(read[0]), backlog / Seconds(read[3]), read[2]);
    }

    private static double Seconds(long ticks) => (double)ticks / Stopwatch.Frequency;
}
