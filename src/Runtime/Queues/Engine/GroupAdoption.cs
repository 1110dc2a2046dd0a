using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A member's care for messages that dead members of its group had taken.
/// <code>
/// adopt  1 win the dead member's lease   2 its word is tentative, or claim is not behind it: it was never taken, clear the word
///        3 deliver while its word stands: moved to another word, a producer's scan could miss both   4 clear its word, give up its lease
/// inherit  a new member has the dead one's seat and lease, and its word as it stood: from 2 on as above
/// </code>
/// A member that was closed with a message it had not committed is adopted like a dead one. Serves one thread at a time.
/// </summary>
internal sealed unsafe class GroupAdoption(ControlFile control, Seat seat)
{
    // The word of each member at the last look: only one that stands still may be a dead one's.
    private readonly ulong[] _seen = new ulong[ParticipantSlot.Count];
    private readonly WakeSignal _space = WakeSignal.ForSpace(control);
    private long _lastLook;
    private TimeSpan _pause = Suspicion.FirstPause;
    private bool _hasSuspects;

    private Verdict? _verdict;
    private ParticipantSlot* _dead;
    private LeftMessage _message;

    /// <summary>How long the member may sleep before it should look again.</summary>
    public TimeSpan LongestSleep => _hasSuspects ? _pause : WakeSignal.LongestSleep;

    /// <summary>Takes over the message of a member that died, if there is one.</summary>
    public bool TryAdopt(out LeftMessage message)
    {
        message = default;
        if (Stopwatch.GetElapsedTime(_lastLook) < _pause)
        {
            return false;
        }

        _lastLook = Stopwatch.GetTimestamp();
        _hasSuspects = false;
        var used = Math.Min(Volatile.Read(ref control.Header->UsedSlots), ParticipantSlot.Count);
        for (var slot = 1; slot < used; slot++)
        {
            var member = control.Participant(slot);
            var word = Volatile.Read(ref member->InFlight);
            var isPeer = slot != seat.Slot && word != InFlight.None && Volatile.Read(ref member->Cursor) == seat.Cursor;
            var stoodStill = isPeer && _seen[slot] == word;
            _seen[slot] = isPeer ? word : InFlight.None;
            _hasSuspects |= isPeer;
            if (stoodStill && Verdict.TryReachAlone(control, slot) is { } verdict && TryTake(verdict, member, out message))
            {
                return true;
            }
        }

        _pause = _hasSuspects && _pause * 2 < Suspicion.LongestPause ? _pause * 2 : _hasSuspects ? Suspicion.LongestPause : Suspicion.FirstPause;
        return false;
    }

    /// <summary>Takes over the message of the member that had this one's seat before, if it left one.</summary>
    public bool TryInherit(out LeftMessage message) => TryTake(verdict: null, control.Participant(seat.Slot), out message);

    /// <summary>The adopted message is done; producers may have waited for just that.</summary>
    public void Finish()
    {
        Volatile.Write(ref _dead->InFlight, InFlight.None);
        FaultPoints.Hit(FaultPoint.AdoptionCleared);
        GiveUp();
        _space.WakeWaiters();
    }

    /// <summary>Leaves the message to other members.</summary>
    public void GiveUp()
    {
        _message.Release();
        _message = default;
        _verdict?.Dispose();
        _verdict = null;
    }

    private bool TryTake(Verdict? verdict, ParticipantSlot* member, out LeftMessage message)
    {
        FaultPoints.Hit(FaultPoint.AdoptionLeased);
        message = default;
        if (Volatile.Read(ref member->Cursor) != seat.Cursor)
        {
            // The slot had another owner meanwhile, of another name, who is gone too.
            verdict?.Dispose();
            return false;
        }

        _verdict = verdict;
        _dead = member;
        var isLeft = false;
        try
        {
            isLeft = LeftMessage.TryFind(control, member, out message);
        }
        catch
        {
            // A damaged record stays the dead member's: this one must not take it for its own.
            GiveUp();
            throw;
        }

        _message = message;
        if (!isLeft)
        {
            Finish();
        }

        FaultPoints.Hit(FaultPoint.AdoptionDelivering);
        return isLeft;
    }
}
