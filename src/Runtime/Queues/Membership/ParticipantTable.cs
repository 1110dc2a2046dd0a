using System.Diagnostics;
using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Who takes part in a queue: gives seats to producers and consumers, takes them back, and settles what the dead left. The caller of
/// everything but <see cref="Leave"/> is the registrar.
/// </summary>
internal sealed unsafe class ParticipantTable(SegmentStore segments)
{
    // Who looks whether a slot's owner is dead has a share of its lease for microseconds, or for some ten milliseconds when it looks for the first
    // time. Longer than this only when it is stopped, and then the slot is left alone.
    private static readonly TimeSpan LongestLook = TimeSpan.FromMilliseconds(100);

    private readonly ControlMap _control = segments.Control;
    private readonly SlotReclaimer _reclaimer = new(segments);

    private int UsedSlots => Math.Min(Volatile.Read(ref _control.Header->UsedSlots), ParticipantSlot.Count);

    /// <summary>Takes a producer's seat; that of a dead one where there can be only one.</summary>
    /// <exception cref="QueueInUseException">The queue is for one producer, and it is alive.</exception>
    public Membership JoinAsProducer()
    {
        DeadWaiters.CountOut(_control);
        if (_control.Producers == ProducerMode.Multiple)
        {
            return TakeFreeSlot(ParticipantSlot.ProducerRole, Membership.NoCursor, isTakeover: false);
        }

        var last = _control.Header->ProducerSlot;
        RequireSlot(last, _control.OffsetOf(&_control.Header->ProducerSlot));
        if (last != 0)
        {
            RequireDead(last, $"The producer of queue '{_control.Directory}'");
        }

        var membership = TakeFreeSlot(ParticipantSlot.ProducerRole, Membership.NoCursor, isTakeover: false);
        Volatile.Write(ref _control.Header->ProducerSlot, membership.Slot);
        FaultPoints.Hit(FaultPoint.ProducerWritten);
        return membership;
    }

    /// <summary>Takes the seat of a consumer name, that of its dead owner included.</summary>
    /// <exception cref="QueueInUseException">The name has a live owner.</exception>
    /// <exception cref="InvalidOperationException">The name is a group's.</exception>
    public Membership JoinAsConsumer(string name, QueueStart start)
    {
        DeadWaiters.CountOut(_control);
        var index = FindOrAdd(name, CursorRecord.ExclusiveKind, start);
        var cursor = _control.Cursor(index);
        var owner = cursor->OwnerSlot;
        RequireSlot(owner, _control.OffsetOf(&cursor->OwnerSlot));
        if (owner != 0)
        {
            RequireDead(owner, $"The consumer '{name}' of queue '{_control.Directory}'");
        }

        var membership = TakeFreeSlot(ParticipantSlot.ConsumerRole, index, isTakeover: cursor->OwnerDied != 0);
        Volatile.Write(ref cursor->OwnerSlot, membership.Slot);
        FaultPoints.Hit(FaultPoint.OwnerWritten);
        return membership;
    }

    /// <summary>
    /// Takes a seat in a group: that of a dead member with the message it had, if there is one. So the dead never take more seats than the
    /// living once had, and a group cannot be locked out by its own dead.
    /// </summary>
    /// <exception cref="InvalidOperationException">The name is not a group's.</exception>
    public Membership JoinAsMember(string name, QueueStart start)
    {
        DeadWaiters.CountOut(_control);
        var cursor = FindOrAdd(name, CursorRecord.GroupKind, start);
        for (var slot = 1; slot < UsedSlots; slot++)
        {
            if (HasMessage(slot) && _control.Participant(slot)->Cursor == cursor && TryTakeOverSlot(slot, cursor) is { } membership)
            {
                return membership;
            }
        }

        return TakeFreeSlot(ParticipantSlot.MemberRole, cursor, isTakeover: false);
    }

    /// <summary>
    /// Gives a seat back. The slot is free once nothing names it; only then its lease goes. A member that has not committed its last message
    /// leaves it in the slot, as if it had died: another one delivers it again.
    /// </summary>
    public static void Leave(ControlMap control, Membership membership)
    {
        FaultPoints.Hit(FaultPoint.Leaving);
        var participant = control.Participant(membership.Slot);
        if (membership.Cursor == Membership.NoCursor)
        {
            Interlocked.CompareExchange(ref control.Header->ProducerSlot, 0, membership.Slot);
        }
        else if (participant->Role == ParticipantSlot.ConsumerRole)
        {
            Volatile.Write(ref control.Cursor(membership.Cursor)->OwnerSlot, 0);
        }

        FaultPoints.Hit(FaultPoint.OwnerCleared);
        if (participant->InFlight == InFlight.None)
        {
            Volatile.Write(ref participant->Role, ParticipantSlot.NoRole);
        }

        FaultPoints.Hit(FaultPoint.RoleCleared);
        membership.Lease.Dispose();
    }

    /// <summary>Forgets a name, and the messages that its dead members had taken.</summary>
    /// <returns>False when there is no such name.</returns>
    /// <exception cref="QueueInUseException">A consumer of this name is alive.</exception>
    public bool DeleteName(string name)
    {
        if (new CursorNames(_control).Find(name) is not { } index)
        {
            return false;
        }

        var what = $"The consumer '{name}' of queue '{_control.Directory}'";
        for (var slot = 1; slot < UsedSlots; slot++)
        {
            var participant = _control.Participant(slot);
            if (participant->Role is ParticipantSlot.ConsumerRole or ParticipantSlot.MemberRole && participant->Cursor == index)
            {
                using var verdict = DeadOwnerLock.TryAcquire(_control, slot) ?? throw MembershipLock.InUse(_control, slot, what);
                Volatile.Write(ref participant->InFlight, InFlight.None);
                _reclaimer.TryReclaim(slot);
            }
        }

        Volatile.Write(ref _control.Cursor(index)->Kind, CursorRecord.DeletedKind);
        return true;
    }

    private int FindOrAdd(string name, uint kind, QueueStart start)
    {
        var index = new CursorNames(_control).Find(name) ?? AddName(name, kind, start);
        if (_control.Cursor(index)->Kind != kind)
        {
            var (known, other) = kind == CursorRecord.GroupKind ? ("an exclusive consumer", "without Shared") : ("a group", "with Shared");
            throw new InvalidOperationException($"'{name}' of queue '{_control.Directory}' is the name of {known}. Open it {other}, or use another name.");
        }

        return index;
    }

    /// <summary>Adds a name where it may begin: the start is asked for a position, and holds the segment while the name is written.</summary>
    private int AddName(string name, uint kind, QueueStart start)
    {
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            var cursor = _control.Cursor(index);
            if (cursor->Kind is 0 or CursorRecord.DeletedKind)
            {
                cursor->OwnerSlot = 0;
                cursor->OwnerDied = 0;
                cursor->ReadPosition = 0;
                cursor->NameBytes = (uint)Encoding.UTF8.GetBytes(name, cursor->Name);
                FaultPoints.Hit(FaultPoint.NameWritten);
                new StartPosition(segments).Place(start, position =>
                {
                    cursor->Position = position;
                    Volatile.Write(ref cursor->Kind, kind);
                    FaultPoints.Hit(FaultPoint.NamePlaced);
                });
                return index;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{_control.Directory}' has {CursorRecord.Count} consumer names, which is the most it can have. Delete one, use a name again, or use another queue.");
    }

    private Membership TakeFreeSlot(uint role, int cursor, bool isTakeover)
    {
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (_control.Participant(slot)->Role == ParticipantSlot.NoRole && TryJoin(slot, FileLease.TryAcquire(LeasePath(slot)), role, cursor, isTakeover) is { } membership)
            {
                return membership;
            }
        }

        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (TryJoin(slot, AwaitLease(slot), role, cursor, isTakeover) is { } membership)
            {
                return membership;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{_control.Directory}' has {ParticipantSlot.Count - 1} producers and consumers, which is the most it can have. {WayOut()}");
    }

    private string WayOut()
    {
        var names = new CursorNames(_control);
        var groups = Enumerable.Range(1, ParticipantSlot.Count - 1).Where(slot => HasMessage(slot) && DeadOwnerLock.IsDead(_control, slot))
            .Select(slot => _control.Participant(slot)->Cursor).Distinct().Select(names.NameOf).ToList();
        return groups.Count == 0
            ? "Close one, or use another queue."
            : $"Some of them are members of '{string.Join("', '", groups)}' that died, or were closed, with a message they had not committed. "
                + "Open a member of that group and read, which gives these messages again and frees the seats, or delete the consumer.";
    }

    private Membership? TryJoin(int slot, FileLease? lease, uint role, int cursor, bool isTakeover)
    {
        if (lease is null || !_reclaimer.TryReclaim(slot))
        {
            lease?.Dispose();
            return null;
        }

        FaultPoints.Hit(FaultPoint.SlotLeased);
        var participant = _control.Participant(slot);
        *participant = default;
        participant->Cursor = cursor;
        FaultPoints.Hit(FaultPoint.SlotCleared);
        Volatile.Write(ref _control.Header->UsedSlots, Math.Max(_control.Header->UsedSlots, slot + 1));
        MembershipLock.Sign(participant, role);
        FaultPoints.Hit(FaultPoint.SlotSigned);
        return new Membership(slot, lease, cursor, isTakeover);
    }

    /// <summary>
    /// Takes over a dead member's seat and leaves its word as it stands: whoever dies on the way leaves what it found, for the next one. Null when
    /// the member lives, when another member delivers its message just now, and when the record is damaged: that stays for readers to report.
    /// </summary>
    private Membership? TryTakeOverSlot(int slot, int cursor)
    {
        var lease = AwaitLease(slot);
        if (lease is null || !IsReadable(slot))
        {
            lease?.Dispose();
            return null;
        }

        FaultPoints.Hit(FaultPoint.SlotLeased);
        DeadWaiters.CountOut(_control, slot);
        var participant = _control.Participant(slot);
        participant->Messages = 0;
        participant->PayloadBytes = 0;
        FaultPoints.Hit(FaultPoint.SlotTakenOver);
        MembershipLock.Sign(participant, ParticipantSlot.MemberRole);
        FaultPoints.Hit(FaultPoint.SlotSigned);
        return new Membership(slot, lease, cursor, IsTakeover: true);
    }

    /// <summary>Takes a lease that nobody owns, as soon as nobody looks at it any more. Null when somebody owns it, or looks for too long.</summary>
    private FileLease? AwaitLease(int slot)
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            var lease = FileLease.TryAcquire(LeasePath(slot));
            if (lease is not null || !DeadOwnerLock.IsDead(_control, slot) || Stopwatch.GetElapsedTime(start) > LongestLook)
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
            if (OrphanedMessage.TryFind(segments, _control.Participant(slot), out var message))
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
        var participant = _control.Participant(slot);
        return participant->Role == ParticipantSlot.MemberRole && Volatile.Read(ref participant->InFlight) != InFlight.None;
    }

    // One who only looks at the slot at this moment cannot be taken for its owner: that one would have the whole lease.
    private void RequireDead(int slot, string what)
    {
        using var verdict = DeadOwnerLock.TryAcquire(_control, slot);
        if (verdict is null || !_reclaimer.TryReclaim(slot))
        {
            throw MembershipLock.InUse(_control, slot, what);
        }
    }

    private string LeasePath(int slot) => ControlMap.LeasePath(_control.Directory, slot);

    private void RequireSlot(int slot, long position)
    {
        if (slot is < 0 or >= ParticipantSlot.Count)
        {
            throw new QueueCorruptedException(_control.Path, position, $"the participant slot {slot} does not exist");
        }
    }
}
