using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The engine of a consumer: a reader with a name, whose cursor says what is done.</summary>
internal abstract unsafe class SeatedReader : LogReader
{
    private readonly Participant _participant;

    protected SeatedReader(ControlFile control, Seat seat)
        : base(control, WakeSignal.ForRecords(control), seat.Slot, control.RecordWaits)
    {
        _participant = new Participant(control, seat);
        Me = _participant.Me;
        Space = WakeSignal.ForSpace(control);
        CursorRecord = control.Cursor(seat.Cursor);
        RequirePossible(CursorRecord->Position);
    }

    public override string ObjectName => "MessageConsumer";

    protected override long Position => Volatile.Read(ref CursorRecord->Position);

    /// <summary>What the metrics observe.</summary>
    public Participant Participant => _participant;

    /// <summary>This consumer's slot of the control file.</summary>
    protected ParticipantSlot* Me { get; }

    /// <summary>What producers sleep on.</summary>
    protected WakeSignal Space { get; }

    /// <summary>The name's record: its position is the next record of an exclusive name, and the next to give out of a group.</summary>
    protected CursorRecord* CursorRecord { get; }

    public override long Seek(QueueStart start)
    {
        BeginUse();
        try
        {
            using var registrar = Registrar.Acquire(Control);
            var before = Volatile.Read(ref CursorRecord->Position);
            new StartPosition(Control).Place(start, MoveTo);
            Space.WakeWaiters();
            return before;
        }
        finally
        {
            EndUse();
        }
    }

    public override void Close()
    {
        _participant.Leave();
        base.Close();
    }

    /// <summary>Moves the cursor. The caller sees to it that a record is there, or will be.</summary>
    protected abstract void MoveTo(long position);

    /// <summary>Requires a cursor's position to be one where a record can be.</summary>
    protected void RequirePossible(long position)
    {
        if (position < 0 || position % RecordWord.Alignment != 0 || position / SegmentBytes > Segments.Count)
        {
            throw new QueueCorruptedException(Control.Path, Control.OffsetOf(CursorRecord), $"the cursor stands at {position}, where no record can be");
        }
    }

    /// <summary>Counts the record at hand as done.</summary>
    protected void CountFinished()
    {
        Me->Messages++;
        Me->PayloadBytes += PayloadBytes;
    }
}
