namespace BufferedMessages.Queues;

/// <summary>An engine that waits for records or for room. All calls come one at a time.</summary>
internal interface IWaitingEngine : IGatedOwner
{
    /// <summary>How long the engine may sleep before it looks again: shorter while it is blocked on a participant that may be dead.</summary>
    TimeSpan LongestSleep { get; }

    /// <summary>Begins a look, which has not yet encountered a blocking word.</summary>
    void BeginLook();

    /// <summary>The pause before the first look of a wait, in units of about 37 ns.</summary>
    int FirstPause();

    /// <summary>Does the awaited step if it is possible now. If it does the step in the last look before a sleep, it reports it again in the next look.</summary>
    bool TryProceed();

    /// <summary>The check of an asynchronous wait.</summary>
    bool IsReady();

    /// <summary>Undoes the step of the last look, if the wait ends without it.</summary>
    void Rollback();
}
