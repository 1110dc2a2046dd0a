namespace BufferedMessages.Queues;

/// <summary>Somebody who sleeps until there is work.</summary>
internal interface IWaiter
{
    /// <summary>How long it may sleep without looking: shorter while it is blocked on somebody who may be dead.</summary>
    TimeSpan LongestSleep { get; }

    /// <summary>Looks for work, and for reasons to stop waiting.</summary>
    bool HasWork();
}
