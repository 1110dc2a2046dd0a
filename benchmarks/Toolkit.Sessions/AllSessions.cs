namespace BufferedMessages.Sessions;

/// <summary>The configurations that the project is held to.</summary>
internal static class AllSessions
{
    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        var single = options with { HasSingleProducer = true };
        var durable = options with { Mode = QueueMode.Durable };
        var durableSingle = single with { Mode = QueueMode.Durable };
        (string Name, Func<IReadOnlyList<SessionResult>> Run)[] sessions =
        [
            ("throughput, single producer", () => [ThroughputSession.Run(single)]),
            ("throughput, many producers", () => [ThroughputSession.Run(options)]),
            ("throughput, group of one", () => [ThroughputSession.Run(options with { IsGroup = true })]),
            ("throughput, four producers and a group of four", () => [ThroughputSession.Run(options with { IsGroup = true, Producers = 4, Consumers = 4 })]),
            ("throughput, durable, single producer", () => [ThroughputSession.Run(durableSingle)]),
            ("throughput, durable, many producers", () => [ThroughputSession.Run(durable)]),
            ("throughput, durable, single producer, warm pages", () => [ThroughputSession.Run(durableSingle with { HasWarmPages = true })]),
            ("throughput, durable, many producers, warm pages", () => [ThroughputSession.Run(durable with { HasWarmPages = true })]),
            ("latency, single producers", () => [LatencySession.Run(single)]),
            ("latency, many producers", () => [LatencySession.Run(options)]),
            ("wakeup", () => [WakeupSession.Run(options)]),
            ("throughput by payload", () => MatrixSession.RunPayloads(options)),
            ("throughput by producers and consumers", () => MatrixSession.RunShapes(options)),
            ("throughput by flush mode", () => MatrixSession.RunFlushes(options)),
            ("latency by the way to wait", () => MatrixSession.RunWaits(options)),
            ("open-loop latency", () => [OpenLoopSession.Run(options)]),
            ("rolls", () => [RollsSession.Run(options)]),
            ("catch-up", () => [CatchUpSession.Run(options)]),
            ("recovery", () => [RecoverySession.Run(options)]),
            ("many segments", () => SegmentsSession.Run(options)),
            ("typed", () => TypedSession.Run(options)),
            ("publish of an order", () => PublishSession.Run(options)),
            ("one field by the size of the message", () => FieldSession.Run(options)),
        ];
        var results = new List<SessionResult>();
        var number = 0;
        foreach (var (name, run) in sessions)
        {
            Report.Progress($"\n{++number} of {sessions.Length}: {name}");
            results.AddRange(run());
        }

        return results;
    }
}
