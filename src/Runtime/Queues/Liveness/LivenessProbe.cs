using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The liveness probe of one participant that is blocked on another. A probe costs a file lock, so it is made only after the
/// same word has blocked the caller for a few looks and a millisecond, and then at growing intervals. It has no timeout: a paused participant counts as alive.
/// Serves one thread at a time.
/// </summary>
internal sealed class LivenessProbe(ControlMap control)
{
    /// <summary>The least time from the first look at a blocking word to the first probe.</summary>
    public static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(1);

    /// <summary>The longest time between two probes, and so the longest delay until a death is noticed.</summary>
    public static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(8);

    // A running producer rarely needs longer than these looks, and reading the clock would take as long as the pause between two of them.
    private const int LooksBeforeClock = 3;

    private long _place = -1;
    private ulong _word;
    private int _looksBeforeClock;
    private long _lastLook;
    private TimeSpan _pause;
    private long? _lastAlive;
    private bool _isBlocked;
    private bool _isDue;

    /// <summary>How long the caller may sleep before it should probe again.</summary>
    public TimeSpan LongestSleep => _isBlocked ? _pause : TimeSpan.MaxValue;

    /// <summary>The pause that comes after another one: they double up to the longest.</summary>
    public static TimeSpan PauseAfter(TimeSpan pause) => pause * 2 < LongestPause ? pause * 2 : LongestPause;

    /// <summary>Begins a look, which has met no blocking word yet.</summary>
    public void BeginLook() => _isBlocked = false;

    /// <summary>
    /// Makes the next look probe at once if the last one met a blocking word. It is for callers that do not wait. One that polls would pay for a file
    /// lock each time, so this does nothing if a participant was found alive within <see cref="LongestPause"/>.
    /// </summary>
    /// <returns>True if the caller should look again.</returns>
    public bool TryProbeNow() => _isDue = _isBlocked && (_lastAlive is not { } alive || Stopwatch.GetElapsedTime(alive) >= LongestPause);

    /// <summary>Reports that the caller is blocked on a participant, and probes that one when it is due.</summary>
    /// <param name="slot">The participant that the word names.</param>
    /// <param name="place">An identification of the word's place: any number that differs from those of other places.</param>
    /// <param name="word">The word itself.</param>
    /// <returns>The lock with which to act for the dead participant; null if it lives, or if that is not known yet.</returns>
    public DeadOwnerLock? TryConfirmDead(int slot, long place, ulong word)
    {
        Debug.Assert(place >= 0, "A word has a place.");
        _isBlocked = true;
        if (place != _place || word != _word)
        {
            _place = place;
            _word = word;
            _looksBeforeClock = LooksBeforeClock;
            _pause = FirstPause;
        }

        if (!_isDue && !IsPauseOver())
        {
            return null;
        }

        _isDue = false;
        _lastLook = Stopwatch.GetTimestamp();
        _pause = PauseAfter(_pause);
        var deadOwner = DeadOwnerLock.TryAcquire(control, slot);
        _isBlocked = deadOwner is null;
        _lastAlive = deadOwner is null ? _lastLook : _lastAlive;
        return deadOwner;
    }

    private bool IsPauseOver()
    {
        if (_looksBeforeClock == 0)
        {
            return Stopwatch.GetElapsedTime(_lastLook) >= _pause;
        }

        if (--_looksBeforeClock == 0)
        {
            _lastLook = Stopwatch.GetTimestamp();
        }

        return false;
    }

    /// <summary>Reports that the caller is blocked on a reserved record, and checks whether its owner is dead if a probe is due; changes nothing.</summary>
    public bool IsOwnerDead(long position, ulong word)
    {
        using var deadOwner = TryConfirmDead(RecordWord.Owner(word), position, word);
        return deadOwner is not null;
    }
}
