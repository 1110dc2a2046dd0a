using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Who takes part in a queue: gives seats to producers and consumers and takes them back. The caller of everything but
/// <see cref="Leave"/> is the registrar.
/// </summary>
internal sealed unsafe class Participants(ControlFile control)
{
    /// <summary>Takes the producer's seat, that of a dead producer included.</summary>
    /// <exception cref="QueueInUseException">A producer is alive.</exception>
    public Seat SeatProducer()
    {
        SettleDeadWaiters();
        var slot = control.Header->ProducerSlot;
        RequireSlot(slot, 128);
        var seat = slot == 0
            ? TakeFreeSlot(cursor: -1)
            : TakeOver(slot, cursor: -1, $"The producer of queue '{control.Directory}'");
        Registrar.Sign(control.Participant(seat.Slot), ParticipantSlot.ProducerRole);
        Volatile.Write(ref control.Header->ProducerSlot, seat.Slot);
        return seat;
    }

    /// <summary>Takes the seat of a consumer name, that of its dead owner included.</summary>
    /// <param name="name">A valid name.</param>
    /// <param name="start">Finds the position where a new name begins.</param>
    /// <exception cref="QueueInUseException">The name has a live owner.</exception>
    public Seat SeatConsumer(string name, Func<long> start)
    {
        SettleDeadWaiters();
        var index = FindCursor(name) ?? AddCursor(name, start());
        var cursor = control.Cursor(index);
        var slot = cursor->OwnerSlot;
        RequireSlot(slot, (byte*)cursor - (byte*)control.Header);
        var seat = slot == 0
            ? TakeFreeSlot(index)
            : TakeOver(slot, index, $"The consumer '{name}' of queue '{control.Directory}'");
        Registrar.Sign(control.Participant(seat.Slot), ParticipantSlot.ConsumerRole);
        Volatile.Write(ref cursor->OwnerSlot, seat.Slot);
        return seat;
    }

    /// <summary>Gives a seat back. The slot is free once nothing names it; only then its lease goes.</summary>
    public void Leave(Seat seat)
    {
        if (seat.Cursor < 0)
        {
            Volatile.Write(ref control.Header->ProducerSlot, 0);
        }
        else
        {
            Volatile.Write(ref control.Cursor(seat.Cursor)->OwnerSlot, 0);
        }

        seat.Lease.Dispose();
    }

    /// <summary>
    /// Takes consumers that died while they waited out of the count of waiters; otherwise every later publish would wake nobody at
    /// the price of a system call.
    /// </summary>
    public void SettleDeadWaiters()
    {
        for (var index = 0; index < CursorRecord.Count && control.Cursor(index)->Kind != 0; index++)
        {
            var slot = Volatile.Read(ref control.Cursor(index)->OwnerSlot);
            if (slot is > 0 and < ParticipantSlot.Count && Volatile.Read(ref control.Participant(slot)->IsWaiting) != 0)
            {
                using var lease = FileLease.TryAcquire(LeasePath(slot));
                if (lease is not null && Interlocked.Exchange(ref control.Participant(slot)->IsWaiting, 0) != 0)
                {
                    WakeSignal.CountWaiterOut(control);
                }
            }
        }
    }

    private int? FindCursor(string name)
    {
        Span<byte> wanted = stackalloc byte[CursorRecord.MaxNameBytes];
        wanted = wanted[..Encoding.UTF8.GetBytes(name, wanted)];
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            var cursor = control.Cursor(index);
            var kind = Volatile.Read(ref cursor->Kind);
            if (kind == 0)
            {
                return null;
            }

            if (kind != CursorRecord.ExclusiveKind || cursor->NameBytes > CursorRecord.MaxNameBytes)
            {
                throw new QueueCorruptedException(control.Path, (byte*)cursor - (byte*)control.Header, "the cursor record is of no known kind");
            }

            Span<byte> known = cursor->Name;
            if (known[..(int)cursor->NameBytes].SequenceEqual(wanted))
            {
                return index;
            }
        }

        return null;
    }

    private int AddCursor(string name, long position)
    {
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            var cursor = control.Cursor(index);
            if (cursor->Kind == 0)
            {
                cursor->OwnerSlot = 0;
                cursor->NameBytes = (uint)Encoding.UTF8.GetBytes(name, cursor->Name);
                cursor->Position = position;
                Volatile.Write(ref cursor->Kind, CursorRecord.ExclusiveKind);
                return index;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{control.Directory}' has {CursorRecord.Count} consumer names, which is the most it can have. Use a name again, or another queue.");
    }

    private Seat TakeOver(int slot, int cursor, string what)
    {
        var lease = FileLease.TryAcquireVerified(LeasePath(slot)) ?? throw Registrar.InUse(control, slot, what);
        return new Seat(slot, lease, cursor, IsTakeover: true);
    }

    // There are as many slots as there can be names for them, so that one is always free, or about to be: a closing owner
    // takes its name away first and gives up the lease a moment later.
    private Seat TakeFreeSlot(int cursor)
    {
        Span<bool> named = stackalloc bool[ParticipantSlot.Count];
        named[ParticipantSlot.Registrar] = true;
        named[control.Header->ProducerSlot] = true;
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            var slot = control.Cursor(index)->OwnerSlot;
            RequireSlot(slot, (byte*)control.Cursor(index) - (byte*)control.Header);
            named[slot] = true;
        }

        while (true)
        {
            for (var slot = 1; slot < ParticipantSlot.Count; slot++)
            {
                if (!named[slot] && FileLease.TryAcquireVerified(LeasePath(slot)) is { } lease)
                {
                    *control.Participant(slot) = default;
                    return new Seat(slot, lease, cursor, IsTakeover: false);
                }
            }

            Thread.Yield();
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
