namespace BufferedMessages.Queues;

/// <summary>
/// The pause of a reader that has caught up before it looks again. A look at a record that is being written takes its cache line away from the producer, and
/// slows both down. While messages arrive faster than one per microsecond, the reader therefore lets several arrive first, and pauses for longer the more that
/// brings. It must not slow down a round trip, whose messages come one at a time, however long the pause is. A trial pause tells the two apart, and
/// trials that fail become rare.
/// </summary>
/// <param name="longestDelay">The longest pause.</param>
/// <param name="ringBytes">Bytes of the queue's ring; none for a durable queue.</param>
internal struct ReadPace(TimeSpan longestDelay, long? ringBytes)
{
    /// <summary>Nanoseconds of a pause of <see cref="Thread.SpinWait"/>, to which the runtime normalizes it.</summary>
    private const int PauseNanoseconds = 37;

    private const int PausesOfMicrosecond = 1_000 / PauseNanoseconds;
    private const int TrialPauses = 32;
    private const int FewestMessages = 2;
    private const int FirstWaitsBetweenTrials = 64;
    private const int MostWaitsBetweenTrials = 4_096;

    // The limit for the messages of one pause: few enough to be still in a processor's own cache, and a part of a ring, so that the producer does not wait for room.
    private const long MostBytes = 256 * 1024;
    private const int PartOfRing = 4;

    private readonly int _longest = (int)(Math.Min(longestDelay.TotalMicroseconds, 1_000_000) * 1_000 / PauseNanoseconds);

    private readonly long _mostBytes = Math.Min(ringBytes / PartOfRing ?? MostBytes, MostBytes);

    // 0 while the reader does not pause.
    private int _pauses;
    private int _waitsBetweenTrials = FirstWaitsBetweenTrials;
    private int _waitsUntilTrial;

    /// <summary>The pause before the first look of a wait, in units of about 37 ns; at least 1.</summary>
    /// <param name="messages">The number of messages that were read since the previous wait.</param>
    /// <param name="bytes">Their bytes in the queue.</param>
    public int Next(long messages, long bytes)
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
            _pauses = bytes > _mostBytes ? Math.Max(_pauses / 2, 1) : Math.Min(_pauses * 2, _longest);
            _waitsBetweenTrials = FirstWaitsBetweenTrials;
        }

        return _pauses;
    }
}
