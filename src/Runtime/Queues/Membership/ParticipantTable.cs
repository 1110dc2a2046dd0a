using System.Diagnostics;
using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The participants of a queue: it gives slots to producers and consumers, takes them back, and reclaims those of dead participants. The caller of
/// every method except <see cref="Leave"/> holds the membership lock.
/// </summary>
internal sealed class ParticipantTable(SegmentStore segments)
{
    // A probe shares the lease of a slot for microseconds, or for some ten milliseconds if it is the first of its process. A probe that takes
    // longer than this is suspended, and the slot is then left alone.
    private static readonly TimeSpan LongestLook = TimeSpan.FromMilliseconds(100);

    private readonly ControlMap _control = segments.Control;
    private readonly SlotReclaimer _reclaimer = new(segments);

    // The record of the name that the last join added; null if the name already existed.
    private int? _added;

    /// <summary>Takes a slot for a producer. In a queue for one producer, the slot of a dead one is reclaimed.</summary>
    /// <exception cref="QueueInUseException">The queue is for one producer, and that one is alive.</exception>
    public Membership JoinAsProducer()
    {
        DeadWaiters.CountOut(_control);
        if (_control.Producers == ProducerMode.Multiple)
        {
            _reclaimer.DeleteUnfinishedFiles();
            return TakeFreeSlot(ParticipantSlot.ProducerRole, Membership.NoCursor);
        }

        var last = _control.Header.ProducerSlot;
        RequireSlot(last, _control.OffsetOf(ref _control.Header.ProducerSlot));
        if (last != 0)
        {
            RequireDead(last, $"The producer of queue '{_control.Directory}'");
        }

        var membership = TakeFreeSlot(ParticipantSlot.ProducerRole, Membership.NoCursor);
        Volatile.Write(ref _control.Header.ProducerSlot, membership.Slot);
        FaultPoints.Hit(FaultPoint.ProducerWritten);
        return membership;
    }

    /// <summary>Takes a slot for the consumer of an exclusive name, which may have a dead owner.</summary>
    /// <exception cref="QueueInUseException">The name has a live owner.</exception>
    /// <exception cref="InvalidOperationException">The name is a group's, or it is new and has no start.</exception>
    public Membership JoinAsConsumer(string name, QueueStart? start) => JoinName(name, CursorRecord.ExclusiveKind, start, index =>
    {
        ref var cursor = ref _control.Cursor(index);
        var owner = cursor.OwnerSlot;
        RequireSlot(owner, _control.OffsetOf(ref cursor.OwnerSlot));
        if (owner != 0)
        {
            RequireDead(owner, $"The consumer '{name}' of queue '{_control.Directory}'");
        }

        var membership = TakeFreeSlot(ParticipantSlot.ConsumerRole, index);
        Volatile.Write(ref cursor.OwnerSlot, membership.Slot);
        FaultPoints.Hit(FaultPoint.OwnerWritten);
        return membership;
    });

    /// <summary>
    /// Takes a slot in a group, if possible that of a dead member with its message. Dead members therefore never hold more slots than the
    /// live ones once had, and cannot lock the group out.
    /// </summary>
    /// <exception cref="InvalidOperationException">The name is not a group's, or it is new and has no start.</exception>
    public Membership JoinAsMember(string name, QueueStart? start) => JoinName(name, CursorRecord.GroupKind, start, cursor =>
    {
        for (var slot = 1; slot < _control.UsedSlots; slot++)
        {
            if (HasMessage(slot) && _control.Participant(slot).Cursor == cursor && TryTakeOverSlot(slot, cursor) is { } membership)
            {
                return membership;
            }
        }

        return TakeFreeSlot(ParticipantSlot.MemberRole, cursor);
    });

    /// <summary>Opens the participant of a slot that was just taken. If that fails, the slot is returned, and a name that was added for it is deleted.</summary>
    public TEngine Open<TEngine>(Membership membership, Func<TEngine> open)
    {
        try
        {
            return open();
        }
        catch
        {
            Leave(_control, membership);
            DeleteAddedName();
            throw;
        }
    }

    /// <summary>
    /// Frees a slot. The slot is free when no word names it; only then is the lease released. A member's uncommitted message stays
    /// in the slot, as after a death, and another member delivers it again.
    /// </summary>
    public static void Leave(ControlMap control, Membership membership)
    {
        FaultPoints.Hit(FaultPoint.Leaving);
        ref var participant = ref control.Participant(membership.Slot);
        if (membership.Cursor == Membership.NoCursor)
        {
            Interlocked.CompareExchange(ref control.Header.ProducerSlot, 0, membership.Slot);
        }
        else if (participant.Role == ParticipantSlot.ConsumerRole)
        {
            Volatile.Write(ref control.Cursor(membership.Cursor).OwnerSlot, 0);
        }

        FaultPoints.Hit(FaultPoint.OwnerCleared);
        if (participant.InFlight == InFlight.None)
        {
            Volatile.Write(ref participant.Role, ParticipantSlot.NoRole);
        }

        FaultPoints.Hit(FaultPoint.RoleCleared);
        membership.Lease.Dispose();
    }

    /// <summary>Deletes a name, with the orphaned messages of its members.</summary>
    /// <returns>False if there is no such name.</returns>
    /// <exception cref="QueueInUseException">A consumer of this name is alive. Nothing was changed.</exception>
    public bool DeleteName(string name)
    {
        if (new CursorNames(_control).Find(name) is not { } index)
        {
            return false;
        }

        var what = $"The consumer '{name}' of queue '{_control.Directory}'";
        var dead = new List<(int Slot, DeadOwnerLock Lock)>();
        try
        {
            // All are found dead before a word of one changes: while a member is alive, the message of a dead one stays.
            for (var slot = 1; slot < _control.UsedSlots; slot++)
            {
                if (ReadsAt(slot, index))
                {
                    dead.Add((slot, DeadOwnerLock.TryAcquire(_control, slot) ?? throw MembershipLock.InUse(_control, slot, what)));
                }
            }

            // The name goes first, which deletes it even if this process dies before the rest. The rest is then done when the record or a slot is needed.
            Volatile.Write(ref _control.Cursor(index).Kind, CursorRecord.DeletedKind);
            FreeSlots(index);
        }
        finally
        {
            dead.ForEach(static member => member.Lock.Dispose());
        }

        // A name that reappears after a crash of the machine would hold back producers.
        _control.FlushIfAsked();
        return true;
    }

    /// <summary>Joins as a consumer of a name, which is added if it is new and has a start.</summary>
    private Membership JoinName(string name, uint kind, QueueStart? start, Func<int, Membership> join)
    {
        DeadWaiters.CountOut(_control);
        var known = new CursorNames(_control).Find(name);
        var index = known ?? AddName(name, kind, start ?? throw new InvalidOperationException($"The queue in '{_control.Directory}' has no consumer name '{name}'. It may have been deleted a moment ago."));
        if (_control.Cursor(index).Kind != kind)
        {
            var (other, way) = kind == CursorRecord.GroupKind ? ("an exclusive consumer", "without Shared") : ("a group", "with Shared");
            throw new InvalidOperationException($"'{name}' of queue '{_control.Directory}' is the name of {other}. Open it {way}, or use another name.");
        }

        _added = known is null ? index : null;
        try
        {
            if (_added is not null)
            {
                // A name that is not on the disk would be lost in a crash of the machine. It would begin anew, and get its messages again without the flag.
                _control.FlushIfAsked();
            }

            return join(index);
        }
        catch
        {
            DeleteAddedName();
            throw;
        }
    }

    // The name of a refused consumer would hold back producers and retention.
    private void DeleteAddedName()
    {
        if (_added is { } index)
        {
            Volatile.Write(ref _control.Cursor(index).Kind, CursorRecord.DeletedKind);
        }
    }

    /// <summary>Adds a name at its start position; the segment is held while the name is written.</summary>
    private int AddName(string name, uint kind, QueueStart start)
    {
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref _control.Cursor(index);
            if (cursor.Kind is 0 or CursorRecord.DeletedKind)
            {
                FreeSlots(index);
                cursor.OwnerSlot = 0;
                cursor.OwnerDied = 0;
                cursor.ReadPosition = 0;
                cursor.NameBytes = (uint)Encoding.UTF8.GetBytes(name, cursor.Name);
                FaultPoints.Hit(FaultPoint.NameWritten);
                new StartPosition(segments).Place(start, position =>
                {
                    _control.Cursor(index).Position = position;
                    _control.Cursor(index).DonePosition = position;
                    Volatile.Write(ref _control.Cursor(index).Kind, kind);
                    FaultPoints.Hit(FaultPoint.NamePlaced);
                });
                return index;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{_control.Directory}' has {CursorRecord.Count} consumer names, which is the maximum. Delete one, reuse one, or use another queue.");
    }

    // Frees the slots of the consumers of a deleted name. They are dead: the name was deleted when all of them were dead, and none could open since.
    private void FreeSlots(int cursor)
    {
        for (var slot = 1; slot < _control.UsedSlots; slot++)
        {
            if (ReadsAt(slot, cursor))
            {
                Volatile.Write(ref _control.Participant(slot).InFlight, InFlight.None);
                _reclaimer.TryReclaim(slot);
            }
        }
    }

    private bool ReadsAt(int slot, int cursor)
    {
        ref var participant = ref _control.Participant(slot);
        return participant.Role is ParticipantSlot.ConsumerRole or ParticipantSlot.MemberRole && participant.Cursor == cursor;
    }

    private Membership TakeFreeSlot(uint role, int cursor)
    {
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (_control.Participant(slot).Role == ParticipantSlot.NoRole && TryJoin(slot, SlotLease.TryAcquire(_control, slot), role, cursor) is { } membership)
            {
                return membership;
            }
        }

        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            if (TryJoin(slot, AwaitLease(slot), role, cursor) is { } membership)
            {
                return membership;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{_control.Directory}' has {ParticipantSlot.Count - 1} producers and consumers, which is the maximum. {WayOut()}");
    }

    private string WayOut()
    {
        var names = new CursorNames(_control);
        var groups = Enumerable.Range(1, ParticipantSlot.Count - 1).Where(slot => HasMessage(slot) && DeadOwnerLock.IsDead(_control, slot))
            .Select(slot => _control.Participant(slot).Cursor).Where(SlotReclaimer.IsCursor).Distinct().Select(names.NameOf).ToList();
        return groups.Count == 0
            ? "Close one, or use another queue."
            : $"Some of them are members of '{string.Join("', '", groups)}' that died, or were closed, with a message they had not committed. "
            + "Open a member of that group and read, which delivers these messages again and frees the slots, or delete the consumer.";
    }

    private Membership? TryJoin(int slot, FileLease? lease, uint role, int cursor) =>
        TryKeep(lease, held => _reclaimer.TryReclaim(slot) ? Join(slot, held, role, cursor) : null);

    private Membership Join(int slot, FileLease lease, uint role, int cursor)
    {
        FaultPoints.Hit(FaultPoint.SlotLeased);
        ref var participant = ref _control.Participant(slot);

        // A reader without the membership lock sees the role cleared before the cursor changes, and no cursor between the old and the new one.
        Volatile.WriteBarrier();
        participant = new ParticipantSlot { Cursor = cursor };
        FaultPoints.Hit(FaultPoint.SlotCleared);
        Volatile.Write(ref _control.Header.UsedSlots, Math.Max(_control.Header.UsedSlots, slot + 1));
        MembershipLock.Sign(ref participant, role);
        FaultPoints.Hit(FaultPoint.SlotSigned);
        return new Membership(slot, lease, cursor);
    }

    /// <summary>
    /// Takes over a dead member's slot with its in-flight word unchanged, so that a death on the way leaves it to the next member. Null if
    /// the member is alive, if another member is delivering its message, or if the record is damaged, which readers report.
    /// </summary>
    private Membership? TryTakeOverSlot(int slot, int cursor)
    {
        Debug.Assert(slot > ParticipantSlot.MembershipLock && slot < ParticipantSlot.Count, "The slot is a participant's.");
        Debug.Assert(cursor >= 0 && cursor < CursorRecord.Count, "The name has a record.");
        return TryKeep(AwaitLease(slot), held => IsReadable(slot) ? TakeOverSlot(slot, held, cursor) : null);
    }

    private Membership TakeOverSlot(int slot, FileLease lease, int cursor)
    {
        FaultPoints.Hit(FaultPoint.SlotLeased);
        DeadWaiters.CountOut(_control, slot);
        ref var participant = ref _control.Participant(slot);
        _reclaimer.NoteFreed(cursor, ParticipantSlot.MemberRole, participant.ProcessId);
        (participant.Messages, participant.PayloadBytes) = (0, 0);
        FaultPoints.Hit(FaultPoint.SlotTakenOver);
        MembershipLock.Sign(ref participant, ParticipantSlot.MemberRole);
        FaultPoints.Hit(FaultPoint.SlotSigned);
        return new Membership(slot, lease, cursor);
    }

    // A lease without a participant, for example after a damaged record was found, would be taken for that of a live one.
    private static Membership? TryKeep(FileLease? lease, Func<FileLease, Membership?> join)
    {
        Membership? membership = null;
        try
        {
            return membership = lease is null ? null : join(lease);
        }
        finally
        {
            if (membership is null)
            {
                lease?.Dispose();
            }
        }
    }

    /// <summary>Takes a free lease once no probe shares it. Null if it has an owner, or if a probe takes too long.</summary>
    private FileLease? AwaitLease(int slot)
    {
        Debug.Assert(slot > ParticipantSlot.MembershipLock && slot < ParticipantSlot.Count, "The slot is a participant's.");
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            var lease = SlotLease.TryAcquire(_control, slot);
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
            if (OrphanedMessage.TryFind(segments, ref _control.Participant(slot), out var message))
            {
                message.Dispose();
            }

            return true;
        }
        catch (Exception exception) when (exception is QueueCorruptedException or NotSupportedException)
        {
            return false;
        }
    }

    /// <summary>The slot has a message in flight, or an orphaned one.</summary>
    private bool HasMessage(int slot)
    {
        ref var participant = ref _control.Participant(slot);
        return participant.Role == ParticipantSlot.MemberRole && Volatile.Read(ref participant.InFlight) != InFlight.None;
    }

    // A participant that only probes the slot cannot be mistaken for its owner, which would hold the exclusive lock.
    private void RequireDead(int slot, string what)
    {
        using var deadOwner = DeadOwnerLock.TryAcquire(_control, slot);
        if (deadOwner is null || !_reclaimer.TryReclaim(slot))
        {
            throw MembershipLock.InUse(_control, slot, what);
        }
    }

    private void RequireSlot(int slot, long position)
    {
        if (slot is < 0 or >= ParticipantSlot.Count)
        {
            throw new QueueCorruptedException(_control.Path, position, $"the participant slot {slot} does not exist");
        }
    }
}
