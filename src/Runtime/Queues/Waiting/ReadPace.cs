namespace BufferedMessages.Queues;

/// <summary>
/// How long a reader that has caught up waits before it looks again. A look at a record that is being written takes its cache line away from the producer, and
/// slows both down. So while messages come faster than one in a microsecond, the reader lets several come first, and pauses for longer the more that
/// brings. A round trip must not be slowed down: its messages come one at a time, however long the pause is. A trial pause tells the two apart, and
/// trials that fail become rare.
/// </summary>
/// <param name="longestDelay">The longest pause.</param>
internal struct ReadPace(TimeSpan longestDelay)
{
    /// <summary>Nanoseconds of a pause of <see cref="Thread.SpinWait"/>, to which the runtime normalizes it.</summary>
    private const int PauseNanoseconds = 37;

    private const int PausesOfMicrosecond = 1_000 / PauseNanoseconds;
    private const int TrialPauses = 32;
    private const int FewestMessages = 2;
    private const int FirstWaitsBetweenTrials = 64;
    private const int MostWaitsBetweenTrials = 4_096;

    private readonly int _longest = (int)(Math.Min(longestDelay.TotalMicroseconds, 1_000_000) * 1_000 / PauseNanoseconds);

    // 0 while the reader looks at once.
    private int _pauses;
    private int _waitsBetweenTrials = FirstWaitsBetweenTrials;
    private int _waitsUntilTrial;

    /// <summary>The pause before the first look of a wait, in units of about 37 ns; at least 1.</summary>
    /// <param name="messages">The messages that were read since the wait before.</param>
    public int Next(long messages)
    {
        if (_pauses == 0)
        {
            if (--_waitsUntilTrial >= 0 || _longest == 0)
            {
                return 1;
            }

            _pauses = Math.Min(TrialPauses, _longest);
        }
        else if (messages < Math.Max(FewestMessages, _pauses / PausesOfMicrosecond))
        {
            _pauses = 0;
            _waitsUntilTrial = _waitsBetweenTrials;
            _waitsBetweenTrials = Math.Min(_waitsBetweenTrials * 2, MostWaitsBetweenTrials);
            return 1;
        }
        else
        {
            _pauses = Math.Min(_pauses * 2, _longest);
            _waitsBetweenTrials = FirstWaitsBetweenTrials;
        }

        return _pauses;
    }
}
