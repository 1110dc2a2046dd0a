namespace BufferedMessages.Sessions;

/// <summary>
/// Latency at a fixed rate. Each message is due at a time that was fixed before, and carries it; the consumer counts from then on, whether the
/// producer was on time or not. So a delay counts for all messages that it held up: no delay is omitted because a process waited.
/// The floor is a bare ring at the same rate.
/// </summary>
internal static class OpenLoopSession
{
    public const string Queue = "queue";

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        using var memory = SharedMemory.Create(directory.Path, options.RingBytes);
        using var pair = new PairSession(OpenLoopProducer.Role, OpenLoopConsumer.Role, [Queue], options);
        var messages = options.Messages ?? (int)Math.Max(options.Rate * options.RoundTime.TotalSeconds, 1);
        var rounds = pair.Run(messages, hasFloor: true);
        return PairSession.Summarise(new SessionResult("open-loop", options) { Rate = options.Rate }, messages, rounds);
    }
}
