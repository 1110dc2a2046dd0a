namespace BufferedMessages.Sessions;

/// <summary>
/// Round trips: one process publishes a message to a queue, the other answers on a second queue. The floor is the same over two words in
/// shared memory, each on cache lines of its own. The first lap of a bounded queue is not counted, so that its pages are there.
/// </summary>
internal static class LatencySession
{
    public const string CallQueue = "calls";
    public const string AnswerQueue = "answers";

    private const int DefaultMessages = 200_000;
    private const int MostLapsPerMessage = 10;

    /// <summary>Round trips that come before the measured ones.</summary>
    public static long LapOf(SessionOptions options, long trips) =>
        options.Mode == QueueMode.Bounded ? Math.Min(options.RingBytes / options.RecordBytes, MostLapsPerMessage * trips) : 0;

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        using var memory = SharedMemory.Create(directory.Path);
        using var pair = new PairSession(LatencyAnswerer.Role, LatencyCaller.Role, [CallQueue, AnswerQueue], options);
        var trips = options.Messages ?? DefaultMessages;
        var rounds = pair.Run(trips, hasFloor: true);
        return PairSession.Summarise(new SessionResult("latency", options), trips * 2L, rounds);
    }
}
