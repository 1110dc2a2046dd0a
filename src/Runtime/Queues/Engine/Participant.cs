using BufferedMessages.Memory;

namespace BufferedMessages.Queues;

/// <summary>A producer or consumer as a member of the queue, until it is closed.</summary>
internal sealed class Participant
{
    private readonly Membership _membership;
    private readonly SharedRecord<ParticipantSlot> _me;

    public Participant(QueueHandle queue, Membership membership)
    {
        Queue = queue;
        _membership = membership;
        _me = queue.Control.ParticipantRecord(membership.Slot);
    }

    /// <summary>The queue it takes part in; valid until it is closed.</summary>
    public QueueHandle Queue { get; }

    /// <summary>This participant's number.</summary>
    public int Slot => _membership.Slot;

    /// <summary>The consumer's cursor record; <see cref="Membership.NoCursor"/> for a producer.</summary>
    public int CursorIndex => _membership.Cursor;

    /// <summary>This participant's slot of the control file.</summary>
    public ref ParticipantSlot Me => ref _me.Value;

    /// <summary>Its counts of published or committed messages; valid until it is closed.</summary>
    public ParticipantCounts Counts => new(Volatile.Read(ref Me.Messages), Volatile.Read(ref Me.PayloadBytes));

    /// <summary>Called once, before the participant leaves.</summary>
    public Action<Participant>? Leaving { get; set; }

    /// <summary>Gives the slot back.</summary>
    public void Leave()
    {
        Leaving?.Invoke(this);
        ParticipantTable.Leave(Queue.Control, _membership);
    }
}
