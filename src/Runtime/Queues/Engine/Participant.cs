namespace BufferedMessages.Queues;

/// <summary>A seat in the queue, as its producer or consumer holds it until it is closed.</summary>
internal sealed unsafe class Participant
{
    private readonly Seat _seat;

    public Participant(ControlFile control, Seat seat)
    {
        Queue = control;
        _seat = seat;
        Me = control.Participant(seat.Slot);
    }

    /// <summary>The queue it takes part in; valid until it is closed.</summary>
    public ControlFile Queue { get; }

    /// <summary>This participant's number.</summary>
    public int Slot => _seat.Slot;

    /// <summary>The consumer's cursor record; <see cref="Seat.NoCursor"/> for a producer.</summary>
    public int CursorIndex => _seat.Cursor;

    /// <summary>This participant's slot of the control file.</summary>
    public ParticipantSlot* Me { get; }

    /// <summary>What it has published or committed; valid until it is closed.</summary>
    public ParticipantCounts Counts => new(Volatile.Read(ref Me->Messages), Volatile.Read(ref Me->PayloadBytes));

    /// <summary>Gives the seat back.</summary>
    public void Leave()
    {
        QueueMetrics.Remove(this);
        new Participants(Queue).Leave(_seat);
    }
}
