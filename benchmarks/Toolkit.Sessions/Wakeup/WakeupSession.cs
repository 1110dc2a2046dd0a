namespace BufferedMessages.Sessions;

/// <summary>
/// How long a consumer that sleeps takes to have a message: the producer publishes its clock, with pauses in which the consumer
/// falls asleep. The next pause begins when the consumer has the message: a delay is counted once, for the floor as for the queue. The floor is a bare futex.
/// </summary>
internal static class WakeupSession
{
    public const string Queue = "queue";

    /// <summary>Wakes that are not counted and come first: files were just made, and participants were just opened and closed.</summary>
    public const int FirstWakes = 50;

    private const int DefaultMessages = 500;

    public static SessionResult Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        using var memory = SharedMemory.Create(directory.Path);
        using var pair = new PairSession(WakeupWaker.Role, WakeupSleeper.Role, [Queue], options);
        var messages = options.Messages ?? DefaultMessages;
        var rounds = pair.Run(messages, Futex.IsSupported);
        return PairSession.Summarise(new SessionResult("wakeup", options), FirstWakes + messages, rounds);
    }
}
