namespace BufferedMessages.Queues;

/// <summary>An engine that waits for records or for room. All calls come one at a time.</summary>
internal interface IWaitingEngine : IGatedOwner
{
    /// <summary>How long the engine may sleep without a look: shorter while it is blocked on a participant that may be dead.</summary>
    TimeSpan LongestSleep { get; }

    /// <summary>Begins a look, which has met no blocking word yet.</summary>
    void BeginLook();

    /// <summary>The pause before the first look of a wait, in units of about 37 ns.</summary>
    int FirstPause();

    /// <summary>Does the awaited step if it is possible now. May do it in the last look before a sleep, and then reports it again in the next one.</summary>
    bool TryProceed();

    /// <summary>The check of an asynchronous wait.</summary>
    bool IsReady();

    /// <summary>Undoes the step of the last look, if the wait ends without it.</summary>
    void Rollback();
}
