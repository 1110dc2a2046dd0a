using System.Diagnostics;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A member's takeover of the orphaned messages of its group.
/// <code>
/// other slot  1 win the dead member's lease   2 its word is tentative, or claim has not passed it: it was never taken, clear the word
///             3 deliver while its word is set: moved to another word, a producer's scan could miss both   4 clear its word, release its lease
/// own slot    a new member has the dead one's slot and lease, and its word unchanged: from 2 on as above
/// </code>
/// The message of a member that was closed before a commit is taken over like a dead one's. Serves one thread at a time.
/// </summary>
internal sealed class InFlightTakeover(SegmentStore segments, Membership membership)
{
    private readonly ControlMap _control = segments.Control;

    // The in-flight word of each member at the last look. Only an unchanged word may belong to a dead member.
    private readonly ulong[] _seen = new ulong[ParticipantSlot.Count];
    private readonly WakeSignal _space = WakeSignal.ForSpace(segments.Control);
    private long _lastLook;
    private TimeSpan _pause = LivenessProbe.FirstPause;
    private bool _hasCandidates;

    private DeadOwnerLock? _deadOwner;
    private SharedRecord<ParticipantSlot> _dead;
    private OrphanedMessage _message;

    /// <summary>How long the member may sleep before it looks again.</summary>
    public TimeSpan LongestSleep => _hasCandidates ? _pause : WakeSignal.LongestSleep;

    /// <summary>Takes over the orphaned message of another member, if there is one.</summary>
    public bool TryTakeOver(out OrphanedMessage message)
    {
        message = default;
        if (Stopwatch.GetElapsedTime(_lastLook) < _pause)
        {
            return false;
        }

        _lastLook = Stopwatch.GetTimestamp();
        NoteDone();
        _hasCandidates = false;
        var used = _control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            ref var member = ref _control.Participant(slot);
            var word = Volatile.Read(ref member.InFlight);
            var isPeer = slot != membership.Slot && word != InFlight.None && Volatile.Read(ref member.Cursor) == membership.Cursor;
            var stoodStill = isPeer && _seen[slot] == word;
            _seen[slot] = isPeer ? word : InFlight.None;
            _hasCandidates |= isPeer;
            if (stoodStill && DeadOwnerLock.TryAcquireExclusive(_control, slot) is { } deadOwner && TryTake(deadOwner, slot, out message))
            {
                return true;
            }
        }

        _pause = _hasCandidates ? LivenessProbe.PauseAfter(_pause) : LivenessProbe.FirstPause;
        return false;
    }

    /// <summary>Takes over the orphaned message of the slot's last owner, if there is one.</summary>
    public bool TryTakeOverSlot(out OrphanedMessage message) => TryTake(deadOwner: null, membership.Slot, out message);

    /// <summary>Ends the takeover after the commit; producers may have waited for this message.</summary>
    public void Finish()
    {
        Volatile.Write(ref _dead.Value.InFlight, InFlight.None);
        FaultPoints.Hit(FaultPoint.TakeoverCleared);
        GiveUp();
        _space.WakeWaiters();
    }

    /// <summary>Stores the position before which the group is done, for a crash of the machine: unlike the announcements, it is in the same page as the claim word.</summary>
    public void NoteDone()
    {
        ref var done = ref _control.Cursor(membership.Cursor).DonePosition;
        long noted;
        do
        {
            noted = LowWatermark.OfGroup(_control, membership.Cursor);

            // The exchange is the fence between the store and the second look: another member may have moved the group back since the first.
            Interlocked.Exchange(ref done, noted);
        }
        while (LowWatermark.OfGroup(_control, membership.Cursor) < noted);
    }

    /// <summary>Leaves the message to other members.</summary>
    public void GiveUp()
    {
        _message.Dispose();
        _message = default;
        _deadOwner?.Dispose();
        _deadOwner = null;
    }

    private bool TryTake(DeadOwnerLock? deadOwner, int slot, out OrphanedMessage message)
    {
        FaultPoints.Hit(FaultPoint.TakeoverLeased);
        message = default;
        ref var member = ref _control.Participant(slot);
        if (Volatile.Read(ref member.Cursor) != membership.Cursor)
        {
            // The slot has since had another owner, with another name, which is gone too.
            deadOwner?.Dispose();
            return false;
        }

        _deadOwner = deadOwner;
        _dead = _control.ParticipantRecord(slot);
        bool isLeft;
        try
        {
            isLeft = OrphanedMessage.TryFind(segments, ref member, out message);
        }
        catch
        {
            // A damaged record stays with the dead member: this one must not take it for its own.
            GiveUp();
            throw;
        }

        _message = message;
        if (!isLeft)
        {
            Finish();
        }
        else if (segments.Events.AreHeard)
        {
            // In its own slot, this member has already stored its identity.
            var process = deadOwner is null ? default(int?) : member.ProcessId;
            segments.Events.NoteRedelivery(new CursorNames(_control).NameOf(membership.Cursor), message.Position, message.Bytes, process);
        }

        FaultPoints.Hit(FaultPoint.TakeoverDelivering);
        return isLeft;
    }
}
