using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The lock that is held to create the queue and to change its tables: the lease of slot 0. It is held for microseconds; in a process that opens its
/// first participant, for some ten milliseconds, since the code is compiled in that time. So publishing and reading do not need it: dead participants are
/// found without it. Only retention at a hard limit needs it; placing a cursor also locks the cursor's ring slot for that long.
/// </summary>
internal static class MembershipLock
{
    /// <summary>How long a process waits for another one that is changing the tables. It may be stopped.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>Waits for the lock to create a queue or to delete it.</summary>
    /// <param name="leasePath">The lease file of slot 0.</param>
    /// <param name="permissions">The permissions of the queue's files.</param>
    /// <exception cref="QueueInUseException">A live process has held it for 30 seconds, for example one that is stopped while it opens a queue.</exception>
    /// <exception cref="DirectoryNotFoundException">The folder of the leases is missing.</exception>
    public static FileLease Acquire(string leasePath, FilePermissions permissions) => Await(
        () => FileLease.TryAcquireVerified(leasePath, permissions),
        () => new QueueInUseException($"The lease '{leasePath}', which is needed to create or delete the queue,", 0, DateTimeOffset.UnixEpoch));

    /// <summary>Waits for the lock in a queue that exists, and signs it with this process.</summary>
    /// <exception cref="QueueInUseException">A live process has held it for 30 seconds.</exception>
    /// <exception cref="StaleQueueException">The queue was deleted, and the lock may be that of another one in its place.</exception>
    /// <exception cref="QueueCorruptedException">The folder of the leases is missing.</exception>
    public static FileLease Acquire(ControlMap control)
    {
        // The first read takes a while, so it is done before the lock is held.
        _ = ThisProcess.StartTicks();
        control.RequireFile();
        var lease = Await(
            () => SlotLease.TryAcquireVerified(control, ParticipantSlot.MembershipLock),
            () => InUse(control, ParticipantSlot.MembershipLock, $"The membership lock of queue '{control.Directory}'"));
        Sign(ref control.Participant(ParticipantSlot.MembershipLock), ParticipantSlot.MembershipLockRole);
        FaultPoints.Hit(FaultPoint.MembershipLocked);
        return lease;
    }

    /// <summary>Takes the lock if it is free.</summary>
    /// <inheritdoc cref="Acquire(ControlMap)" path="/exception"/>
    public static FileLease? TryAcquire(ControlMap control)
    {
        control.RequireFile();
        return SlotLease.TryAcquire(control, ParticipantSlot.MembershipLock);
    }

    /// <summary>Records the owner of a slot, whose other words are written.</summary>
    public static void Sign(ref ParticipantSlot slot, uint role)
    {
        slot.ProcessId = Environment.ProcessId;
        slot.ProcessStartTicks = ThisProcess.StartTicks();
        Volatile.Write(ref slot.Role, role);
    }

    // Verified here, for all leases of the queue.
    private static FileLease Await(Func<FileLease?> tryAcquireVerified, Func<QueueInUseException> holder)
    {
        var start = Stopwatch.GetTimestamp();
        var pause = 1;
        while (true)
        {
            var lease = tryAcquireVerified();
            if (lease is not null)
            {
                return lease;
            }

            if (Stopwatch.GetElapsedTime(start) > Patience)
            {
                throw holder();
            }

            Thread.Sleep(pause);
            pause = Math.Min(pause * 2, 16);
        }
    }

    /// <summary>Names the owner of a slot.</summary>
    public static QueueInUseException InUse(ControlMap control, int slot, string what)
    {
        ref var owner = ref control.Participant(slot);
        return new QueueInUseException(what, owner.ProcessId, owner.ProcessStart);
    }
}
