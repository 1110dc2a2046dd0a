using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>The lock word of a ring slot: participant slot of its holder + 1. A dead holder's lock is taken over.</summary>
internal static class SlotLock
{
    private const uint Unlocked = 0;

    /// <summary>Takes the lock for a producer if it is free, or if its holder is found dead.</summary>
    public static bool TryTake(ControlMap control, ref RingSlot slot, int participant, LivenessProbe probe)
    {
        var holder = Interlocked.CompareExchange(ref slot.Lock, WordOf(participant), Unlocked);
        if (holder == Unlocked)
        {
            return true;
        }

        using var deadOwner = probe.TryConfirmDead(HolderOf(control, ref slot, holder), control.OffsetOf(ref slot), holder);
        return deadOwner is not null && TryTakeOver(ref slot, participant, holder);
    }

    /// <summary>Takes the lock for the holder of the membership lock if it is free, or if its holder is dead.</summary>
    public static bool TryTakeUnderMembershipLock(ControlMap control, ref RingSlot slot)
    {
        var holder = Interlocked.CompareExchange(ref slot.Lock, WordOf(ParticipantSlot.MembershipLock), Unlocked);
        if (holder == Unlocked)
        {
            return true;
        }

        var participant = HolderOf(control, ref slot, holder);
        if (participant == ParticipantSlot.MembershipLock)
        {
            // The caller holds the membership lock, so the holder before it died with the slot lock. No other participant takes the slot lock from that
            // holder, since the caller has its lease.
            return true;
        }

        using var deadOwner = DeadOwnerLock.TryAcquire(control, participant);
        return deadOwner is not null && TryTakeOver(ref slot, ParticipantSlot.MembershipLock, holder);
    }

    public static void Release(ref RingSlot slot) => Volatile.Write(ref slot.Lock, Unlocked);

    /// <summary>Releases every lock that a participant died with. The caller has found it dead.</summary>
    public static void ReleaseAll(ControlMap control, int participant)
    {
        Debug.Assert(participant > ParticipantSlot.MembershipLock && participant < ParticipantSlot.Count, "A lock is held by a participant.");
        for (var slot = 0; slot < control.Slots; slot++)
        {
            Interlocked.CompareExchange(ref control.RingSlot(slot).Lock, Unlocked, WordOf(participant));
        }
    }

    /// <summary>Finds the participant that holds the lock of a segment's slot, for people; the holder of the membership lock if there is none.</summary>
    public static int FindHolder(ControlMap control, long segment)
    {
        if (control.Mode == QueueMode.Durable)
        {
            return ParticipantSlot.MembershipLock;
        }

        ref var slot = ref control.RingSlot((int)(segment % control.Slots));
        var holder = Volatile.Read(ref slot.Lock);
        return holder == Unlocked ? ParticipantSlot.MembershipLock : HolderOf(control, ref slot, holder);
    }

    private static uint WordOf(int participant) => (uint)participant + 1;

    private static int HolderOf(ControlMap control, ref RingSlot slot, uint holder) => holder <= ParticipantSlot.Count
        ? (int)holder - 1
        : throw new QueueCorruptedException(control.Path, control.OffsetOf(ref slot.Lock), $"the lock is held by participant {holder - 1}, which cannot exist");

    private static bool TryTakeOver(ref RingSlot slot, int participant, uint holder) =>
        Interlocked.CompareExchange(ref slot.Lock, WordOf(participant), holder) == holder;
}
