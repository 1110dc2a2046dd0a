using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Who takes part in a queue: gives seats to producers and consumers, takes them back, and settles what the dead left. The caller of
/// everything but <see cref="Leave"/> is the registrar.
/// </summary>
internal sealed unsafe class Participants(ControlFile control)
{
    private int UsedSlots => Math.Min(Volatile.Read(ref control.Header->UsedSlots), ParticipantSlot.Count);

    /// <summary>Takes a producer's seat; that of a dead one where there can be only one.</summary>
    /// <exception cref="QueueInUseException">The queue is for one producer, and it is alive.</exception>
    public Seat SeatProducer()
    {
        SettleDeadWaiters();
        if (control.Producers == QueueProducers.Many)
        {
            return TakeFreeSlot(ParticipantSlot.ProducerRole, Seat.NoCursor, isTakeover: false);
        }

        var last = control.Header->ProducerSlot;
        RequireSlot(last, control.OffsetOf(&control.Header->ProducerSlot));
        if (last != 0)
        {
            RequireDead(last, $"The producer of queue '{control.Directory}'");
        }

        var seat = TakeFreeSlot(ParticipantSlot.ProducerRole, Seat.NoCursor, isTakeover: last != 0);
        Volatile.Write(ref control.Header->ProducerSlot, seat.Slot);
        FaultPoints.Hit(FaultPoint.ProducerWritten);
        return seat;
    }

    /// <summary>Takes the seat of a consumer name, that of its dead owner included.</summary>
    /// <exception cref="QueueInUseException">The name has a live owner.</exception>
    /// <exception cref="InvalidOperationException">The name is a group's.</exception>
    public Seat SeatConsumer(string name, QueueStart start)
    {
        SettleDeadWaiters();
        var index = FindOrAdd(name, CursorRecord.ExclusiveKind, start);
        var cursor = control.Cursor(index);
        var owner = cursor->OwnerSlot;
        RequireSlot(owner, control.OffsetOf(&cursor->OwnerSlot));
        if (owner != 0)
        {
            RequireDead(owner, $"The consumer '{name}' of queue '{control.Directory}'");
        }

        var seat = TakeFreeSlot(ParticipantSlot.ConsumerRole, index, isTakeover: cursor->OwnerDied != 0);
        Volatile.Write(ref cursor->OwnerSlot, seat.Slot);
        FaultPoints.Hit(FaultPoint.OwnerWritten);
        return seat;
    }

    /// <summary>Takes a seat in a group.</summary>
    /// <exception cref="InvalidOperationException">The name is not a group's.</exception>
    public Seat SeatMember(string name, QueueStart start)
    {
        SettleDeadWaiters();
        return TakeFreeSlot(ParticipantSlot.MemberRole, FindOrAdd(name, CursorRecord.GroupKind, start), isTakeover: false);
    }

    /// <summary>
    /// Gives a seat back. The slot is free once nothing names it; only then its lease goes. A member that has not committed its last message
    /// leaves it in the slot, as if it had died: another one delivers it again.
    /// </summary>
    public void Leave(Seat seat)
    {
        FaultPoints.Hit(FaultPoint.Leaving);
        var participant = control.Participant(seat.Slot);
        if (seat.Cursor == Seat.NoCursor)
        {
            Interlocked.CompareExchange(ref control.Header->ProducerSlot, 0, seat.Slot);
        }
        else if (participant->Role == ParticipantSlot.ConsumerRole)
        {
            Volatile.Write(ref control.Cursor(seat.Cursor)->OwnerSlot, 0);
        }

        FaultPoints.Hit(FaultPoint.OwnerCleared);
        if (participant->InFlight == InFlight.None)
        {
            Volatile.Write(ref participant->Role, ParticipantSlot.NoRole);
        }

        FaultPoints.Hit(FaultPoint.RoleCleared);
        seat.Lease.Dispose();
    }

    /// <summary>Forgets a name, and the messages that its dead members had taken.</summary>
    /// <returns>False when there is no such name.</returns>
    /// <exception cref="QueueInUseException">A consumer of this name is alive.</exception>
    public bool DeleteName(string name)
    {
        if (new Cursors(control).Find(name) is not { } index)
        {
            return false;
        }

        var what = $"The consumer '{name}' of queue '{control.Directory}'";
        for (var slot = 1; slot < UsedSlots; slot++)
        {
            var participant = control.Participant(slot);
            if (participant->Role is ParticipantSlot.ConsumerRole or ParticipantSlot.MemberRole && participant->Cursor == index)
            {
                using var lease = FileLease.TryAcquireVerified(LeasePath(slot)) ?? throw Registrar.InUse(control, slot, what);
                Volatile.Write(ref participant->InFlight, InFlight.None);
                TryBury(slot);
            }
        }

        Volatile.Write(ref control.Cursor(index)->Kind, CursorRecord.DeletedKind);
        return true;
    }

    /// <summary>
    /// Takes participants that died while they waited out of the count of waiters; otherwise every later publish would wake nobody at
    /// the price of a system call.
    /// </summary>
    public void SettleDeadWaiters()
    {
        for (var slot = 1; slot < UsedSlots; slot++)
        {
            if (Volatile.Read(ref control.Participant(slot)->Waiting) != ParticipantSlot.NotWaiting)
            {
                using var lease = FileLease.TryAcquire(LeasePath(slot));
                if (lease is not null)
                {
                    WakeSignal.CountDeadWaiterOut(control, slot);
                }
            }
        }
    }

    private int FindOrAdd(string name, uint kind, QueueStart start)
    {
        var cursors = new Cursors(control);
        var index = cursors.Find(name) ?? cursors.Add(name, kind, start);
        if (control.Cursor(index)->Kind != kind)
        {
            var (known, other) = kind == CursorRecord.GroupKind ? ("an exclusive consumer", "OpenConsumer") : ("a group", "OpenGroupConsumer");
            throw new InvalidOperationException($"'{name}' of queue '{control.Directory}' is the name of {known}. Open it with {other}, or use another name.");
        }

        return index;
    }

    private Seat TakeFreeSlot(uint role, int cursor, bool isTakeover)
    {
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (control.Participant(slot)->Role == ParticipantSlot.NoRole && TrySeat(slot, role, cursor, isTakeover) is { } seat)
            {
                return seat;
            }
        }

        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (TrySeat(slot, role, cursor, isTakeover) is { } seat)
            {
                return seat;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{control.Directory}' has {ParticipantSlot.Count - 1} producers and consumers, which is the most it can have. Close one, or use another queue.");
    }

    private Seat? TrySeat(int slot, uint role, int cursor, bool isTakeover)
    {
        var lease = FileLease.TryAcquireVerified(LeasePath(slot));
        if (lease is null || !TryBury(slot))
        {
            lease?.Dispose();
            return null;
        }

        FaultPoints.Hit(FaultPoint.SeatLeased);
        var participant = control.Participant(slot);
        *participant = default;
        participant->Cursor = cursor;
        FaultPoints.Hit(FaultPoint.SeatCleared);
        Volatile.Write(ref control.Header->UsedSlots, Math.Max(control.Header->UsedSlots, slot + 1));
        Registrar.Sign(participant, role);
        FaultPoints.Hit(FaultPoint.SeatSigned);
        return new Seat(slot, lease, cursor, isTakeover);
    }

    /// <summary>
    /// Settles what the last owner of a slot left, who is dead: the caller holds its lease. False when that cannot be settled now: a message
    /// that a member had taken waits for another member.
    /// </summary>
    private bool TryBury(int slot)
    {
        var participant = control.Participant(slot);
        if (participant->InFlight != InFlight.None)
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
                break;
            case ParticipantSlot.ConsumerRole when participant->Cursor is >= 0 and < CursorRecord.Count:
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

    private void RequireDead(int slot, string what)
    {
        using var lease = FileLease.TryAcquireVerified(LeasePath(slot)) ?? throw Registrar.InUse(control, slot, what);
        if (!TryBury(slot))
        {
            throw Registrar.InUse(control, slot, what);
        }
    }

    private string LeasePath(int slot) => ControlFile.LeasePath(control.Directory, slot);

    private void RequireSlot(int slot, long position)
    {
        if (slot is < 0 or >= ParticipantSlot.Count)
        {
            throw new QueueCorruptedException(control.Path, position, $"the participant slot {slot} does not exist");
        }
    }
}
