using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Who takes part in a queue: gives seats to producers and consumers, takes them back, and settles what the dead left. The caller of
/// everything but <see cref="Leave"/> and <see cref="SettleDeadWaiters"/> is the registrar.
/// </summary>
internal sealed unsafe class Participants(ControlFile control)
{
    // Who looks whether a slot's owner is dead has a share of its lease for microseconds, or for some ten milliseconds when it looks for the first
    // time. Longer than this only when it is stopped, and then the slot is left alone.
    private static readonly TimeSpan LongestLook = TimeSpan.FromMilliseconds(100);

    private readonly Burial _burial = new(control);

    private int UsedSlots => Math.Min(Volatile.Read(ref control.Header->UsedSlots), ParticipantSlot.Count);

    /// <summary>Takes a producer's seat; that of a dead one where there can be only one.</summary>
    /// <exception cref="QueueInUseException">The queue is for one producer, and it is alive.</exception>
    public Seat SeatProducer()
    {
        SettleDeadWaiters();
        if (control.Producers == ProducerMode.Multiple)
        {
            return TakeFreeSlot(ParticipantSlot.ProducerRole, Seat.NoCursor, isTakeover: false);
        }

        var last = control.Header->ProducerSlot;
        RequireSlot(last, control.OffsetOf(&control.Header->ProducerSlot));
        if (last != 0)
        {
            RequireDead(last, $"The producer of queue '{control.Directory}'");
        }

        var seat = TakeFreeSlot(ParticipantSlot.ProducerRole, Seat.NoCursor, isTakeover: false);
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

    /// <summary>
    /// Takes a seat in a group: that of a dead member with the message it had, if there is one. So the dead never take more seats than the
    /// living once had, and a group cannot be locked out by its own dead.
    /// </summary>
    /// <exception cref="InvalidOperationException">The name is not a group's.</exception>
    public Seat SeatMember(string name, QueueStart start)
    {
        SettleDeadWaiters();
        var cursor = FindOrAdd(name, CursorRecord.GroupKind, start);
        for (var slot = 1; slot < UsedSlots; slot++)
        {
            if (HasMessage(slot) && control.Participant(slot)->Cursor == cursor && TryInherit(slot, cursor) is { } seat)
            {
                return seat;
            }
        }

        return TakeFreeSlot(ParticipantSlot.MemberRole, cursor, isTakeover: false);
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
                using var verdict = Verdict.TryReach(control, slot) ?? throw Registrar.InUse(control, slot, what);
                Volatile.Write(ref participant->InFlight, InFlight.None);
                _burial.TryBury(slot);
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
                using var verdict = Verdict.TryReach(control, slot);
                if (verdict is not null)
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
            if (control.Participant(slot)->Role == ParticipantSlot.NoRole && TrySeat(slot, FileLease.TryAcquire(LeasePath(slot)), role, cursor, isTakeover) is { } seat)
            {
                return seat;
            }
        }

        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (TrySeat(slot, AwaitLease(slot), role, cursor, isTakeover) is { } seat)
            {
                return seat;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{control.Directory}' has {ParticipantSlot.Count - 1} producers and consumers, which is the most it can have. {WayOut()}");
    }

    private string WayOut()
    {
        var names = new Cursors(control);
        var groups = Enumerable.Range(1, ParticipantSlot.Count - 1).Where(slot => HasMessage(slot) && Verdict.IsDead(control, slot))
            .Select(slot => control.Participant(slot)->Cursor).Distinct().Select(names.NameOf).ToList();
        return groups.Count == 0
            ? "Close one, or use another queue."
            : $"Some of them are members of '{string.Join("', '", groups)}' that died, or were closed, with a message they had not committed. "
                + "Open a member of that group and read, which gives these messages again and frees the seats, or delete the consumer.";
    }

    private Seat? TrySeat(int slot, FileLease? lease, uint role, int cursor, bool isTakeover)
    {
        if (lease is null || !_burial.TryBury(slot))
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
    /// Takes over a dead member's seat and leaves its word as it stands: whoever dies on the way leaves what it found, for the next one. Null when
    /// the member lives, when another member delivers its message just now, and when the record is damaged: that stays for readers to report.
    /// </summary>
    private Seat? TryInherit(int slot, int cursor)
    {
        var lease = AwaitLease(slot);
        if (lease is null || !IsReadable(slot))
        {
            lease?.Dispose();
            return null;
        }

        FaultPoints.Hit(FaultPoint.SeatLeased);
        WakeSignal.CountDeadWaiterOut(control, slot);
        var participant = control.Participant(slot);
        participant->Messages = 0;
        participant->PayloadBytes = 0;
        FaultPoints.Hit(FaultPoint.SeatInherited);
        Registrar.Sign(participant, ParticipantSlot.MemberRole);
        FaultPoints.Hit(FaultPoint.SeatSigned);
        return new Seat(slot, lease, cursor, IsTakeover: true);
    }

    /// <summary>Takes a lease that nobody owns, as soon as nobody looks at it any more. Null when somebody owns it, or looks for too long.</summary>
    private FileLease? AwaitLease(int slot)
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            var lease = FileLease.TryAcquire(LeasePath(slot));
            if (lease is not null || !Verdict.IsDead(control, slot) || Stopwatch.GetElapsedTime(start) > LongestLook)
            {
                return lease;
            }

            Thread.Sleep(1);
        }
    }

    private bool IsReadable(int slot)
    {
        try
        {
            if (LeftMessage.TryFind(control, control.Participant(slot), out var message))
            {
                message.Release();
            }

            return true;
        }
        catch (QueueCorruptedException)
        {
            return false;
        }
    }

    /// <summary>A member has a message in the slot, or had one when it died or was closed.</summary>
    private bool HasMessage(int slot)
    {
        var participant = control.Participant(slot);
        return participant->Role == ParticipantSlot.MemberRole && Volatile.Read(ref participant->InFlight) != InFlight.None;
    }

    // One who only looks at the slot at this moment cannot be taken for its owner: that one would have the whole lease.
    private void RequireDead(int slot, string what)
    {
        using var verdict = Verdict.TryReach(control, slot);
        if (verdict is null || !_burial.TryBury(slot))
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
