using System.Diagnostics;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>
/// What many old segments cost: opening the queue with a producer and a consumer at its end, and publishing after them. The floor is the same
/// with a queue of one segment. One process, one thread.
/// </summary>
internal static class SegmentsSession
{
    private const int DefaultSegments = 10_000;
    private const int Openings = 20;
    private const int MessagesPerBatch = 500;

    // A message for each segment.
    private const int OldPayloadBytes = 40 * 1024;

    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path, Mode = QueueMode.Durable, SegmentBytes = 64 * 1024 };
        var segments = options.Messages ?? DefaultSegments;
        var many = Prepare(options, 0, segments);
        var one = Prepare(options, 1, 1);
        Report.Progress($"a queue of {segments:N0} segments is there");
        List<Round> openings = [], publishes = [];
        for (var round = 0; round <= options.Rounds; round++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            openings.Add(new Round(MeasureOpen(one), MeasureOpen(many)));
            publishes.Add(new Round(MeasurePublish(one, options), MeasurePublish(many, options)));
            Report.Progress($"round {round}: open {Report.Time(openings[^1].Many[0])}, with one segment {Report.Time(openings[^1].One[0])}; publish {publishes[^1].Many[0]} ns, with one segment {publishes[^1].One[0]} ns");
        }

        return [Summarise("open", options, segments, openings[1..]), Summarise("publish after", options, segments, publishes[1..])];
    }

    private readonly record struct Round(long[] One, long[] Many);

    private static SessionResult Summarise(string scenario, SessionOptions options, int segments, List<Round> rounds) =>
        PairSession.Summarise(
            new SessionResult(scenario, options) { Segments = segments },
            1,
            [.. rounds.Select(round => new PairSession.Round(round.Many, round.One, AllocatedBytes: 0))]) with { AllocatedBytesPerMessage = null };

    private static string Prepare(SessionOptions options, long number, int segments)
    {
        SessionDirectory.CreateQueue(options, number);
        var path = SessionDirectory.QueueOf(options, number);
        using var queue = MessageQueue.Open(path);
        using var producer = queue.OpenProducer();
        var payload = new byte[OldPayloadBytes];
        for (var i = 0; i < segments; i++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            producer.Publish(payload);
        }

        return path;
    }

    private static long[] MeasureOpen(string path)
    {
        var times = new long[Openings];
        for (var i = 0; i < Openings; i++)
        {
            var start = Stopwatch.GetTimestamp();
            using var queue = MessageQueue.Open(path);
            using var producer = queue.OpenProducer();
            using var consumer = queue.OpenConsumer<RawMessage>("session", new() { Start = QueueStart.Latest });
            times[i] = Figures.NanosecondsSince(start);
        }

        return Figures.Quantiles(times);
    }

    // In batches: one publish is as short as the clock's own steps. Each time in a queue object of its own, so both begin alike.
    private static long[] MeasurePublish(string path, SessionOptions options)
    {
        using var queue = MessageQueue.Open(path);
        using var producer = queue.OpenProducer();
        var payload = new byte[options.PayloadBytes];
        var times = new long[Openings];
        for (var i = 0; i < times.Length; i++)
        {
            var start = Stopwatch.GetTimestamp();
            for (var message = 0; message < MessagesPerBatch; message++)
            {
                producer.Publish(payload);
            }

            times[i] = Figures.NanosecondsSince(start) / MessagesPerBatch;
        }

        return Figures.Quantiles(times);
    }
}
