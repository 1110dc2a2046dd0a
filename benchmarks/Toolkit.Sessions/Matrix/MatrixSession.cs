using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>Rows of short sessions that differ in one thing: the payload, the number of producers and consumers, the flush mode, the way to wait.</summary>
internal static class MatrixSession
{
    /// <summary>A wait that sleeps takes a quarter of a millisecond a round trip: with these two a row ends within seconds.</summary>
    private const int TripsOfAWait = 20_000;
    private const long SegmentBytesOfAWait = 64 * 1024;

    private static readonly int[] Payloads = [16, 64, 256, 1024, 4096, 65_536, 1_048_576];
    private static readonly (int Producers, int Consumers, bool IsGroup)[] Shapes = [(1, 1, false), (4, 1, false), (1, 4, false), (4, 4, true)];

    public static IReadOnlyList<SessionResult> RunPayloads(SessionOptions options) => Run(
        "payloads",
        Payloads.Select(bytes => options with { PayloadBytes = bytes }),
        ThroughputSession.Run);

    public static IReadOnlyList<SessionResult> RunShapes(SessionOptions options) => Run(
        "shapes",
        Shapes.Select(shape => options with { Producers = shape.Producers, Consumers = shape.Consumers, IsGroup = shape.IsGroup }),
        ThroughputSession.Run);

    /// <summary>On a disk, unless the options say where: in memory a flush does nothing.</summary>
    public static IReadOnlyList<SessionResult> RunFlushes(SessionOptions options) => Run(
        "flushes",
        Enum.GetValues<FlushMode>().Select(flush => options with
        {
            Mode = QueueMode.Durable,
            Flush = flush,
            Directory = options.Directory == SessionOptions.DefaultDirectory ? Path.GetTempPath() : options.Directory,
        }),
        ThroughputSession.Run);

    public static IReadOnlyList<SessionResult> RunWaits(SessionOptions options) => Run(
        "waits",
        Enum.GetValues<WaitMode>().Select(wait => options with
        {
            Wait = wait,
            Messages = options.Messages ?? TripsOfAWait,
            SegmentBytes = options.SegmentBytes ?? SegmentBytesOfAWait,
        }),
        row => LatencySession.Run(row) with { Wait = RunnerCommand.Word(row.Wait) });

    private static List<SessionResult> Run(string scenario, IEnumerable<SessionOptions> rows, Func<SessionOptions, SessionResult> run)
    {
        var results = new List<SessionResult>();
        foreach (var row in rows)
        {
            var result = run(row with { RoundTime = row.RoundTime / 4, Warmup = row.Warmup / 4 }) with { Scenario = scenario };
            results.Add(result);
            Report.Progress($"{Report.Name(result)}, {result.PayloadBytes} B: done");
        }

        return results;
    }
}
