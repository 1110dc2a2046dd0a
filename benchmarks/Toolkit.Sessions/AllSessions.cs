namespace BufferedMessages.Sessions;

/// <summary>The configurations that the project is held to.</summary>
internal static class AllSessions
{
    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        var single = options with { HasSingleProducer = true };
        var durable = options with { Mode = QueueMode.Durable };
        var durableSingle = single with { Mode = QueueMode.Durable };
        (string Name, Func<SessionResult> Run)[] sessions =
        [
            ("throughput, single producer", () => ThroughputSession.Run(single)),
            ("throughput, many producers", () => ThroughputSession.Run(options)),
            ("throughput, group of one", () => ThroughputSession.Run(options with { IsGroup = true })),
            ("throughput, four producers and a group of four", () => ThroughputSession.Run(options with { IsGroup = true, Producers = 4, Consumers = 4 })),
            ("throughput, durable, single producer", () => ThroughputSession.Run(durableSingle)),
            ("throughput, durable, many producers", () => ThroughputSession.Run(durable)),
            ("throughput, durable, single producer, warm pages", () => ThroughputSession.Run(durableSingle with { HasWarmPages = true })),
            ("throughput, durable, many producers, warm pages", () => ThroughputSession.Run(durable with { HasWarmPages = true })),
            ("latency, single producers", () => LatencySession.Run(single)),
            ("latency, many producers", () => LatencySession.Run(options)),
            ("wakeup", () => WakeupSession.Run(options)),
        ];
        var results = new List<SessionResult>();
        foreach (var (name, run) in sessions)
        {
            Report.Progress($"\n{results.Count + 1} of {sessions.Length}: {name}");
            results.Add(run());
        }

        return results;
    }
}
