using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// A shared or exclusive lock on a dead participant's lease file. While it is held the slot cannot be reassigned, so a word that
/// names the slot now was written by a participant that is gone, whichever owner that was.
/// <para>
/// Any number of holders may share the lock, and the slot may be reclaimed at the same time. So a shared holder may do one thing: change a word that
/// names the dead participant, by compare-and-swap. An action that only one holder may perform needs the exclusive lock.
/// A stopped holder blocks only those that need the exclusive lock.
/// </para>
/// </summary>
internal sealed class DeadOwnerLock : IDisposable
{
    private readonly FileLease? _lease;

    private DeadOwnerLock(FileLease? lease) => _lease = lease;

    /// <summary>Locks the lease of a dead participant with others. Null if the participant lives, or if another holder has the exclusive lock to act for it.</summary>
    public static DeadOwnerLock? TryAcquire(ControlMap control, int slot) =>
        !control.IsReadOnly ? Of(SlotLease.TryAcquireShare(control, slot)) : SlotLease.TryLook(control, slot, out var share) ? new DeadOwnerLock(share) : null;

    /// <summary>Locks the lease of a dead participant exclusively. Also null while another holder probes it.</summary>
    public static DeadOwnerLock? TryAcquireExclusive(ControlMap control, int slot) => Of(SlotLease.TryAcquire(control, slot));

    /// <summary>Whether a participant is dead, or has left, at this moment.</summary>
    public static bool IsDead(ControlMap control, int slot)
    {
        using var deadOwner = TryAcquire(control, slot);
        return deadOwner is not null;
    }

    public void Dispose() => _lease?.Dispose();

    private static DeadOwnerLock? Of(FileLease? lease)
    {
        var isDead = lease is not null;
        FaultPoints.RobLiveOwner(ref isDead);
        return isDead ? new DeadOwnerLock(lease) : null;
    }
}
