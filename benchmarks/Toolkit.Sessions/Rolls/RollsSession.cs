namespace BufferedMessages.Sessions;

/// <summary>
/// How long each publish to a durable queue takes while segments are filled and new ones are made, with a consumer that reads along. The
/// queue maps pages ahead of its producers. The floor does not: it copies the same records into bare mapped files of the same size,
/// one after the other, and pays for each page when it comes to it.
/// </summary>
internal static class RollsSession
{
    public const string Queue = "queue";

    // Five segments of the default size.
    private const int DefaultMessages = 4_200_000;

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path, Mode = QueueMode.Durable };
        using var pair = new PairSession(RollsConsumer.Role, RollsProducer.Role, [Queue], options);
        var messages = options.Messages ?? DefaultMessages;
        var rounds = pair.Run(messages, hasFloor: true);
        return PairSession.Summarise(new SessionResult("rolls", options), messages, rounds);
    }
}
