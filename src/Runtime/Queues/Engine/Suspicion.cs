using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// One participant's doubt whether another, on whom it is blocked, is still alive. Looking costs a file lock, so it happens only when the
/// same word has stood in the way for a millisecond, and then less and less often. There is no timeout in it: who is only paused stays alive.
/// Serves one thread at a time.
/// </summary>
internal sealed class Suspicion(ControlFile control)
{
    /// <summary>The time from the first doubt to the first look.</summary>
    public static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(1);

    /// <summary>So much later a death is noticed at most.</summary>
    public static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(8);

    private long _place = -1;
    private ulong _word;
    private long _lastLook;
    private TimeSpan _pause;
    private long? _lastAlive;
    private bool _isAroused;
    private bool _isHasty;

    /// <summary>How long the caller may sleep before it should look again.</summary>
    public TimeSpan LongestSleep => _isAroused ? _pause : WakeSignal.LongestSleep;

    /// <summary>Begins a look: nobody is suspected in it yet.</summary>
    public void BeginLook() => _isAroused = false;

    /// <summary>
    /// Has the doubt of the last look followed at once, for a caller that does not wait. One that asks again and again would pay for a file lock
    /// each time: so not when somebody was found alive just now.
    /// </summary>
    /// <returns>True when the caller should look again.</returns>
    public bool TryHasten() => _isHasty = _isAroused && (_lastAlive is not { } alive || Stopwatch.GetElapsedTime(alive) >= LongestPause);

    /// <summary>Says that the caller is blocked on somebody, and looks whether that one is dead when it is time to.</summary>
    /// <param name="slot">The participant that the word names.</param>
    /// <param name="place">Where the word stands: anything that tells it apart from others.</param>
    /// <param name="word">The word itself.</param>
    /// <returns>The right to act for the dead one, or null when it lives, or when that is not known yet.</returns>
    public Verdict? TryConvict(int slot, long place, ulong word)
    {
        _isAroused = true;
        if (place != _place || word != _word)
        {
            _place = place;
            _word = word;
            _lastLook = Stopwatch.GetTimestamp();
            _pause = FirstPause;
        }

        if (!_isHasty && Stopwatch.GetElapsedTime(_lastLook) < _pause)
        {
            return null;
        }

        _isHasty = false;
        _lastLook = Stopwatch.GetTimestamp();
        _pause = _pause * 2 < LongestPause ? _pause * 2 : LongestPause;
        var verdict = Verdict.TryReach(control, slot);
        _isAroused = verdict is null;
        _lastAlive = verdict is null ? _lastLook : _lastAlive;
        return verdict;
    }

    /// <summary>Says that the caller is blocked on a reserved record, and looks whether its owner is dead when it is time to; changes nothing.</summary>
    public bool IsOwnerDead(long position, ulong word)
    {
        using var verdict = TryConvict(RecordWord.Owner(word), position, word);
        return verdict is not null;
    }

    /// <summary>Turns the reserved record on which the caller is blocked into padding, once its owner is found dead.</summary>
    /// <returns>True when the record should be looked at again.</returns>
    public bool TryResolve(in Segment segment, long position, ulong word)
    {
        using var verdict = TryConvict(RecordWord.Owner(word), position, word);
        if (verdict is null)
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.DeathFound);
        control.Segments.TryPadReservation(segment, position, word);
        FaultPoints.Hit(FaultPoint.DeathResolved);
        WakeSignal.ForRecords(control).WakeAll();
        return true;
    }
}
