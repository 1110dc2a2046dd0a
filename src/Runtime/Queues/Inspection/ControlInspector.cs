using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The inspection of the control file's tables. Each word is checked on its own, since the queue may be in use.</summary>
internal sealed class ControlInspector(ControlMap control)
{
    // A text and its fingerprint are stored one after the other.
    private const int Looks = 5;

    private readonly List<Finding> _findings = [];

    /// <summary>Finds the damage, and the participants that died.</summary>
    public IReadOnlyList<Finding> Inspect()
    {
        InspectContent();
        InspectSchema();
        InspectParticipants();
        InspectCursors();
        InspectRingSlots();
        return _findings;
    }

    // The content is decided before the first segment is opened. If it were undecided, a program with other content could open the queue.
    private void InspectContent()
    {
        if (IsUndecided() && HasSegments() && IsUndecided() && !control.MayBeTorn)
        {
            Add(ref control.Header.ContentKind, "the content is undecided, although there are segments");
        }
    }

    private bool IsUndecided() => Volatile.Read(ref control.Header.ContentKind) == (uint)ContentKind.Undecided;

    private bool HasSegments()
    {
        if (control.Mode == QueueMode.Durable)
        {
            return Volatile.Read(ref control.Header.OpenSegments) > 0;
        }

        for (var slot = 0; slot < control.Slots; slot++)
        {
            if (Volatile.Read(ref control.RingSlot(slot).State) != RingSlot.NeverUsed)
            {
                return true;
            }
        }

        return false;
    }

    private void InspectSchema()
    {
        for (var look = 1; ; look++)
        {
            try
            {
                if (StoredContent.ContentOf(control) is not { HasItsFingerprint: false })
                {
                    return;
                }

                if (look == Looks)
                {
                    Add(ref control.Header.SchemaFingerprint, "it is not the fingerprint of the stored text");
                    return;
                }
            }
            catch (FormatException exception)
            {
                if (look == Looks)
                {
                    _findings.Add(new Finding(FindingKind.Damage, control.Path, ControlMap.SchemaOffset, $"the stored text is not a schema: {exception.Message}"));
                    return;
                }
            }

            Thread.Sleep(1);
        }
    }

    private void InspectParticipants()
    {
        ref var header = ref control.Header;
        var used = Volatile.Read(ref header.UsedSlots);
        if (used is < 0 or > ParticipantSlot.Count)
        {
            Add(ref header.UsedSlots, $"{used} participant slots cannot be in use");
        }

        if (Volatile.Read(ref header.ProducerSlot) is var producer and (< 0 or >= ParticipantSlot.Count))
        {
            Add(ref header.ProducerSlot, $"the participant slot {producer} does not exist");
        }

        for (var slot = 1; slot < Math.Clamp(used, 0, ParticipantSlot.Count); slot++)
        {
            InspectParticipant(slot);
        }
    }

    private void InspectParticipant(int slot)
    {
        ref var participant = ref control.Participant(slot);
        var role = Volatile.Read(ref participant.Role);
        if (role > ParticipantSlot.MemberRole)
        {
            Add(ref participant.Role, $"participant {slot} has the role {role}, which does not exist");
            return;
        }

        var cursor = Volatile.Read(ref participant.Cursor);
        if (role is ParticipantSlot.ConsumerRole or ParticipantSlot.MemberRole && cursor is < 0 or >= CursorRecord.Count && Volatile.Read(ref participant.Role) == role)
        {
            Add(ref participant.Cursor, $"participant {slot} reads at the cursor {cursor}, which does not exist");
        }
        else if (IsOfOtherKind(in participant, role))
        {
            Add(ref participant.Cursor, $"participant {slot} reads at the cursor {participant.Cursor}, which is not {(role == ParticipantSlot.MemberRole ? "a group's" : "an exclusive consumer's")}");
        }

        if (role != ParticipantSlot.NoRole && DeadOwnerLock.IsDead(control, slot) && Volatile.Read(ref participant.Role) == role)
        {
            var text = role switch { ParticipantSlot.ProducerRole => "producer", ParticipantSlot.ConsumerRole => "consumer", _ => "member of a group" };
            var message = role == ParticipantSlot.MemberRole && participant.InFlight != InFlight.None ? " with a message, which the next member that opens or reads gets" : "";
            _findings.Add(new Finding(
                FindingKind.Dead, ControlMap.LeasePath(control.Directory, slot), Position: null, $"participant {slot}, a {text} of process {participant.ProcessId}, is dead or left{message}"));
        }
    }

    // The name is there before its participants, and is deleted after the last of them.
    private bool IsOfOtherKind(ref readonly ParticipantSlot participant, uint role)
    {
        var other = role switch { ParticipantSlot.ConsumerRole => CursorRecord.GroupKind, ParticipantSlot.MemberRole => CursorRecord.ExclusiveKind, _ => 0u };
        var cursor = Volatile.Read(in participant.Cursor);
        return other != 0 && SlotReclaimer.IsCursor(cursor) && Volatile.Read(ref control.Cursor(cursor).Kind) == other
            && Volatile.Read(in participant.Role) == role && Volatile.Read(in participant.Cursor) == cursor;
    }

    private void InspectCursors()
    {
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref control.Cursor(index);
            var kind = Volatile.Read(ref cursor.Kind);
            if (kind != 0 && !CursorNames.IsPossible(in cursor, kind))
            {
                Add(ref cursor.Kind, "the cursor record is of no known kind");
            }
            else if (kind == 0 && CursorNames.HasLater(control, index) && Volatile.Read(ref cursor.Kind) == 0 && !control.MayBeTorn)
            {
                Add(ref cursor.Kind, "the cursor record is not in use, but later ones are");
            }
            else if (kind == CursorRecord.ExclusiveKind && cursor.OwnerSlot is < 0 or >= ParticipantSlot.Count)
            {
                Add(ref cursor.OwnerSlot, $"the participant slot {cursor.OwnerSlot} does not exist");
            }
        }
    }

    private void InspectRingSlots()
    {
        for (var slot = 0; slot < control.Slots; slot++)
        {
            ref var ringSlot = ref control.RingSlot(slot);
            var state = Volatile.Read(ref ringSlot.State);
            if (!RingSlot.IsPossible(state, slot, control.Slots, control.SegmentBytes))
            {
                Add(ref ringSlot.State, $"the slot {slot} of the ring cannot be in the state {state}");
            }

            if (Volatile.Read(ref ringSlot.Lock) is var holder and > ParticipantSlot.Count)
            {
                Add(ref ringSlot.Lock, $"the lock is held by participant {holder - 1}, which cannot exist");
            }
        }
    }

    private void Add<T>(ref readonly T part, string rule) => _findings.Add(new Finding(FindingKind.Damage, control.Path, control.OffsetOf(in part), rule));
}
