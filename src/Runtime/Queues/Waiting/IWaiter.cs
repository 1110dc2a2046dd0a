namespace BufferedMessages.Queues;

/// <summary>A thread that sleeps until there is work.</summary>
internal interface IWaiter
{
    /// <summary>How long it may sleep before it looks again: shorter while it is blocked on a participant that may be dead.</summary>
    TimeSpan LongestSleep { get; }

    /// <summary>Looks for work, and for reasons to stop waiting.</summary>
    bool HasWork();
}
