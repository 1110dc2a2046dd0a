using BufferedMessages.Memory;

namespace BufferedMessages.Queues;

/// <summary>The engine of a consumer: a reader with a name, whose cursor marks the committed messages.</summary>
internal abstract class ConsumerReader : LogReader
{
    private readonly Participant _participant;
    private readonly SharedRecord<ParticipantSlot> _me;
    private readonly SharedRecord<CursorRecord> _cursorRecord;

    protected ConsumerReader(QueueHandle queue, Membership membership, ConsumerOptions options)
        : base(queue, WakeSignal.ForRecords(queue.Control), membership.Slot, queue.RecordWaits, options)
    {
        var control = queue.Control;
        _participant = new Participant(queue, membership);
        _me = control.ParticipantRecord(membership.Slot);
        Space = WakeSignal.ForSpace(control);
        _cursorRecord = control.NameRecord(membership.Cursor);
        RequirePossible(CursorRecord.Position);
    }

    public override string ObjectName => "MessageConsumer";

    protected override long Position => Volatile.Read(ref CursorRecord.Position);

    /// <summary>The participant that the metrics observe.</summary>
    public Participant Participant => _participant;

    /// <summary>This consumer's slot of the control file.</summary>
    protected ref ParticipantSlot Me => ref _me.Value;

    /// <summary>The signal on which producers sleep.</summary>
    protected WakeSignal Space { get; }

    /// <summary>The name's record. Its position is that of the next record for an exclusive name, or for a member of a group.</summary>
    protected ref CursorRecord CursorRecord => ref _cursorRecord.Value;

    public override long Seek(QueueStart start)
    {
        BeginUse();
        try
        {
            using var membershipLock = MembershipLock.Acquire(Control);
            var before = Volatile.Read(ref CursorRecord.Position);
            new StartPosition(Segments).Place(start, MoveTo);
            Space.WakeWaiters();
            return before;
        }
        finally
        {
            EndUse();
            Segments.Events.Tell();
        }
    }

    public override void Close()
    {
        _participant.Leave();
        base.Close();
    }

    /// <summary>Moves the cursor. The caller ensures that a record is there, or will be.</summary>
    protected abstract void MoveTo(long position);

    /// <summary>Requires a cursor's position to be one where a record can be.</summary>
    protected void RequirePossible(long position)
    {
        if (!Segments.MayHaveRecord(position))
        {
            throw new QueueCorruptedException(Control.Path, Control.OffsetOf(ref CursorRecord), $"the cursor is at {position}, where no record can be");
        }
    }

    /// <summary>Notes that the messages from the cursor on are delivered again.</summary>
    protected void NoteRedeliveries()
    {
        if (Segments.Events.AreHeard)
        {
            Segments.Events.NoteRedeliveries(new CursorNames(Control).NameOf(_participant.CursorIndex), Position);
        }
    }

    /// <summary>Counts the current record as committed.</summary>
    protected void CountFinished()
    {
        Me.Messages++;
        Me.PayloadBytes += PayloadBytes;
    }
}
