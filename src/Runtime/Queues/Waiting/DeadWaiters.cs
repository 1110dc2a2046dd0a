namespace BufferedMessages.Queues;

/// <summary>
/// Participants that died while they waited, and are still counted as waiters. Until they are removed from the count, each publish makes a
/// system call that wakes none.
/// </summary>
internal static class DeadWaiters
{
    /// <summary>Removes all of them from the count. Any number of threads and processes may do so at the same time.</summary>
    public static void CountOut(ControlMap control)
    {
        var used = control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            if (Volatile.Read(ref control.Participant(slot).Waiting) != ParticipantSlot.NotWaiting)
            {
                using var dead = DeadOwnerLock.TryAcquire(control, slot);
                if (dead is not null)
                {
                    CountOut(control, slot);
                }
            }
        }
    }

    /// <summary>Removes one that the caller has found dead from the count. Of several callers, only one changes the count.</summary>
    public static void CountOut(ControlMap control, int slot)
    {
        switch (Interlocked.Exchange(ref control.Participant(slot).Waiting, ParticipantSlot.NotWaiting))
        {
            case ParticipantSlot.WaitsForRecord:
                Interlocked.Add(ref control.Header.Waiters, unchecked(0 - WakeSignal.OneNow));
                break;
            case ParticipantSlot.WaitsForSpace:
                Interlocked.Add(ref control.Header.SpaceWaiters, unchecked(0 - WakeSignal.OneNow));
                break;
        }
    }
}
