namespace BufferedMessages.Hosting.Torture;

/// <summary>The handlers of the torture. Their numbers are those of the journal.</summary>
internal static class HandlerNames
{
    /// <summary>Asynchronous, a group with two workers in each process.</summary>
    public const int Group = 0;

    /// <summary>Asynchronous, one worker of one process.</summary>
    public const int Ordered = 1;

    /// <summary>Synchronous, a group with a worker with a thread of its own in each process.</summary>
    public const int Synchronous = 2;

    public static readonly string[] All = ["group", "ordered", "synchronous"];
}
