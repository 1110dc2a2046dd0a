namespace BufferedMessages.Queues;

/// <summary>An engine that waits for records or for room. All calls come one at a time.</summary>
internal interface IWaitingEngine : IGatedOwner
{
    /// <summary>The wait is to end.</summary>
    bool IsDisposed { get; }

    /// <summary>How long the engine may sleep without looking: shorter while it is blocked on a participant that may be dead.</summary>
    TimeSpan LongestSleep { get; }

    /// <summary>Begins a look: nobody is suspected in it yet.</summary>
    void BeginLook();

    /// <summary>The pause before the first look of a spin, in units of about 35 ns.</summary>
    /// <param name="looksOfLastSpin">How many looks of the last spin found nothing.</param>
    int FirstPause(int looksOfLastSpin);

    /// <summary>Does what the engine waits for, if that is possible now. May do it in the last look before a sleep; then it must say so again.</summary>
    bool TryProceed();

    /// <summary>What an asynchronous wait looks for.</summary>
    bool IsReady();

    /// <summary>Undoes what the last look did, when the wait ends without it.</summary>
    void Rollback();
}
