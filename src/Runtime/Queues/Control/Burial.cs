using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Settles what a dead participant left, so that its slot can be used again. The caller is the registrar, so there is one burial at a time,
/// and has found the participant dead: the slot gets no owner meanwhile. Others may have found it dead too, and act beside the burial; so
/// what they may change is changed here by compare-and-swap as well.
/// </summary>
internal sealed unsafe class Burial(ControlFile control)
{
    /// <summary>Settles what the last owner of a slot left.</summary>
    /// <returns>False when that cannot be settled now: a message that a member had taken waits for another member.</returns>
    public bool TryBury(int slot)
    {
        var participant = control.Participant(slot);
        if (participant->InFlight != InFlight.None && !TryDropAnnouncement(participant))
        {
            return false;
        }

        FaultPoints.Hit(FaultPoint.BurialBegun);
        switch (participant->Role)
        {
            case ParticipantSlot.ProducerRole:
                SlotLock.ReleaseAll(control, slot);
                FaultPoints.Hit(FaultPoint.BurialLocksOpened);
                if (!TrySettleClaim(slot, participant->LastClaim))
                {
                    return false;
                }

                FaultPoints.Hit(FaultPoint.BurialClaimSettled);

                // Whoever has the slot next must not be taken for the only producer.
                Interlocked.CompareExchange(ref control.Header->ProducerSlot, 0, slot);
                break;
            case ParticipantSlot.ConsumerRole when IsCursor(participant->Cursor):
                var cursor = control.Cursor(participant->Cursor);
                if (cursor->OwnerSlot == slot)
                {
                    cursor->OwnerDied = 1;
                    Volatile.Write(ref cursor->OwnerSlot, 0);
                }

                break;
        }

        WakeSignal.CountDeadWaiterOut(control, slot);
        FaultPoints.Hit(FaultPoint.BurialNearlyDone);
        Volatile.Write(ref participant->Role, ParticipantSlot.NoRole);
        return true;
    }

    /// <summary>Clears the word of a member that died before it had taken the record that it announced.</summary>
    private bool TryDropAnnouncement(ParticipantSlot* member)
    {
        if (!IsCursor(member->Cursor) || InFlight.IsTaken(member->InFlight, Volatile.Read(ref control.Cursor(member->Cursor)->Position)))
        {
            return false;
        }

        Volatile.Write(ref member->InFlight, InFlight.None);
        WakeSignal.ForSpace(control).WakeWaiters();
        return true;
    }

    /// <summary>Turns the record that a dead producer has reserved and not published into padding.</summary>
    private bool TrySettleClaim(int slot, long position)
    {
        var segment = position / control.SegmentBytes;
        if (position < 0 || position % RecordWord.Alignment != 0)
        {
            throw new QueueCorruptedException(control.Path, control.OffsetOf(control.Participant(slot)), $"the producer's last claim stands at {position}, where no record can be");
        }

        var segments = control.Segments;
        return segments.TryHold(segment, () => Pad(segment, position, slot)) || !segments.IsOpen(segment);
    }

    private void Pad(long segment, long position, int slot)
    {
        if (!control.Segments.IsOpen(segment))
        {
            return;
        }

        var mapped = control.Segments.Map(segment);
        var word = Volatile.Read(ref *(ulong*)mapped.At(position));
        var isLeft = RecordWord.State(word) == RecordWord.Reserved && RecordWord.Owner(word) == slot
            && RecordWord.HasValidLength(word, mapped.Position + control.SegmentBytes - position);
        if (isLeft && control.Segments.TryPadReservation(mapped, position, word))
        {
            WakeSignal.ForRecords(control).WakeAll();
        }

        mapped.Release();
    }

    private static bool IsCursor(int index) => index is >= 0 and < CursorRecord.Count;
}
