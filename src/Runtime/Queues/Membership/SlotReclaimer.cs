using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The reclaim of a dead participant's slot, which settles its locks, its unfinished record and its other words. The caller holds the membership lock,
/// so only one reclaim runs at a time. It has found the participant dead, so the slot gets no owner. Other participants may have found it dead
/// too, and act at the same time; every word that they may change is therefore changed here by compare-and-swap as well.
/// </summary>
internal sealed class SlotReclaimer(SegmentStore segments)
{
    private readonly ControlMap _control = segments.Control;

    /// <summary>Reclaims a slot.</summary>
    /// <returns>False if that is not possible now: a member's orphaned message waits for another member.</returns>
    public bool TryReclaim(int slot)
    {
        Debug.Assert(slot > ParticipantSlot.MembershipLock && slot < ParticipantSlot.Count, "The slot is a participant's.");
        ref var participant = ref _control.Participant(slot);
        if (participant.InFlight != InFlight.None && !TryDropAnnouncement(ref participant))
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.ReclaimBegun);
        var (role, process) = (participant.Role, participant.ProcessId);
        switch (participant.Role)
        {
            case ParticipantSlot.ProducerRole:
                SlotLock.ReleaseAll(_control, slot);
                FaultPoints.Hit(FaultPoint.ReclaimLocksOpened);
                if (!TrySettleClaim(slot, participant.LastClaim))
                {
                    return false;
                }

                FaultPoints.Hit(FaultPoint.ReclaimClaimSettled);
                segments.DeleteUnfinished(slot);

                // The slot's next owner must not be mistaken for the only producer.
                Interlocked.CompareExchange(ref _control.Header.ProducerSlot, 0, slot);
                break;
            case ParticipantSlot.ConsumerRole when IsCursor(participant.Cursor):
                ref var cursor = ref _control.Cursor(participant.Cursor);
                if (cursor.OwnerSlot == slot)
                {
                    cursor.OwnerDied = 1;
                    Volatile.Write(ref cursor.OwnerSlot, 0);
                }

                break;
        }

        DeadWaiters.CountOut(_control, slot);
        FaultPoints.Hit(FaultPoint.ReclaimNearlyDone);
        Volatile.Write(ref participant.Role, ParticipantSlot.NoRole);
        if (role != ParticipantSlot.NoRole)
        {
            NoteFreed(participant.Cursor, role, process);
        }

        return true;
    }

    /// <summary>
    /// Deletes the files of segments that dead producers had not finished: the slot of such a producer may be reclaimed much later, or never, and its file takes the room of a segment.
    /// Listing thousands of segments takes milliseconds, so it is done only after a death.
    /// </summary>
    public void DeleteUnfinishedFiles()
    {
        if (!HasDeadProducer())
        {
            return;
        }

        foreach (var slot in segments.UnfinishedSlots())
        {
            using var deadOwner = DeadOwnerLock.TryAcquireExclusive(_control, slot);
            if (deadOwner is not null)
            {
                segments.DeleteUnfinished(slot);
            }
        }
    }

    /// <summary>Whether a cursor record exists for the index that was read from a slot, which may hold any number.</summary>
    public static bool IsCursor(int index) => index is >= 0 and < CursorRecord.Count;

    /// <summary>Notes that the slot of a dead participant was freed.</summary>
    public void NoteFreed(int cursor, uint role, int processId)
    {
        if (segments.Events.AreHeard)
        {
            var isConsumer = role is ParticipantSlot.ConsumerRole or ParticipantSlot.MemberRole && IsCursor(cursor);
            segments.Events.NoteFreedSlot(isConsumer ? new CursorNames(_control).NameOf(cursor) : null, role == ParticipantSlot.MemberRole, processId);
        }
    }

    private bool HasDeadProducer()
    {
        var used = _control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            if (_control.Participant(slot).Role == ParticipantSlot.ProducerRole && DeadOwnerLock.IsDead(_control, slot))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Clears the in-flight word of a member that died before it had taken the record it announced, or whose name is deleted.</summary>
    private bool TryDropAnnouncement(ref ParticipantSlot member)
    {
        if (!IsCursor(member.Cursor))
        {
            return false;
        }

        ref var cursor = ref _control.Cursor(member.Cursor);
        if (cursor.Kind != CursorRecord.DeletedKind && InFlight.IsTaken(member.InFlight, Volatile.Read(ref cursor.Position)))
        {
            return false;
        }

        Volatile.Write(ref member.InFlight, InFlight.None);
        WakeSignal.ForSpace(_control).WakeWaiters();
        return true;
    }

    /// <summary>Turns the record that a dead producer reserved but did not publish into padding.</summary>
    private bool TrySettleClaim(int slot, long position)
    {
        var segment = position / _control.SegmentBytes;
        if (position < 0 || position % RecordWord.Alignment != 0)
        {
            throw new QueueCorruptedException(_control.Path, _control.OffsetOf(ref _control.Participant(slot)), $"the producer's last claim is at {position}, where no record can be");
        }

        return segments.TryHold(segment, () => Pad(segment, position, slot)) || !segments.IsOpen(segment);
    }

    private void Pad(long segment, long position, int slot)
    {
        Debug.Assert(position / _control.SegmentBytes == segment, "The position lies in the segment.");
        if (!segments.IsOpen(segment))
        {
            return;
        }

        using var mapped = segments.Map(segment);
        var word = Volatile.Read(ref mapped.Word(position));
        var isLeft = RecordWord.State(word) == RecordWord.Reserved && RecordWord.Owner(word) == slot
            && RecordWord.HasValidLength(word, mapped.Position + _control.SegmentBytes - position);
        if (isLeft && segments.TryPadReservation(mapped, position, word))
        {
            WakeSignal.ForRecords(_control).WakeAll();
        }
    }
}
