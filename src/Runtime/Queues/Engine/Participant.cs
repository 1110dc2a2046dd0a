namespace BufferedMessages.Queues;

/// <summary>A producer or consumer as a member of the queue, until it is closed.</summary>
internal sealed class Participant(QueueHandle queue, Membership membership)
{
    /// <summary>The queue it takes part in; valid until it is closed.</summary>
    public QueueHandle Queue { get; } = queue;

    /// <summary>This participant's number.</summary>
    public int Slot => membership.Slot;

    /// <summary>The consumer's cursor record; <see cref="Membership.NoCursor"/> for a producer.</summary>
    public int CursorIndex => membership.Cursor;

    /// <summary>Its counts of published or committed messages; valid until it is closed.</summary>
    public ParticipantCounts Counts
    {
        get
        {
            ref var me = ref Queue.Control.Participant(Slot);
            return new ParticipantCounts(Volatile.Read(ref me.Messages), Volatile.Read(ref me.PayloadBytes));
        }
    }

    /// <summary>Called once, before the participant leaves.</summary>
    public Action<Participant>? Leaving { get; set; }

    /// <summary>Gives up the slot.</summary>
    public void Leave()
    {
        Leaving?.Invoke(this);
        if (Queue.Control.IsCut)
        {
            membership.Lease.Dispose();
        }
        else
        {
            ParticipantTable.Leave(Queue.Control, membership);
        }
    }
}
