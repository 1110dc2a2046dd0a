using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The engine of an exclusive consumer: it sees every record from its cursor on, and moves the cursor on commit.</summary>
internal sealed unsafe class CursorReader : LogReader
{
    private readonly long* _cursor;

    // The record at the cursor or behind padding, and the end of the segment; both are null before the first segment is mapped.
    private byte* _record;
    private byte* _end;

    // Position of a record = its address + this.
    private long _origin;

    public CursorReader(ControlFile control, Seat seat)
        : base(control, seat)
    {
        _cursor = Cursor;
        RequirePossible(*_cursor);
        _origin = *_cursor;
        IsRedelivered = seat.IsTakeover;
    }

    private long Position => _origin + (long)_record;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override bool TryTakeHere()
    {
        var record = _record;
        var remaining = _end - record;
        if (remaining != 0)
        {
            var word = Volatile.Read(ref *(ulong*)record);
            return RecordWord.State(word) == RecordWord.Committed
                && RecordWord.HasValidLength(word, remaining)
                && TryDeliver(record, _origin + (long)record, RecordWord.Bytes(word));
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override bool TryTakeFurther()
    {
        while (_record != _end || TryEnterNextSegment())
        {
            var word = Volatile.Read(ref *(ulong*)_record);
            switch (RecordWord.State(word))
            {
                case RecordWord.Free or RecordWord.Reserved:
                    if (!TryResolve(Segment, Position, word))
                    {
                        return false;
                    }

                    break;
                case RecordWord.Committed when RecordWord.HasValidLength(word, _end - _record):
                    Deliver(_record, Position, RecordWord.Bytes(word));
                    return true;
                case RecordWord.Padding when RecordWord.HasValidLength(word, _end - _record):
                    RequirePadding(_record, Position, word);
                    _record += RecordWord.Bytes(word);
                    StoreCursor();
                    break;
                default:
                    SegmentStore.ThrowCorrupted(Segment, Position, word);
                    break;
            }
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override void Finish()
    {
        _record += TakenBytes;
        TakenBytes = 0;
        CountFinished();
        StoreCursor();
        if (IsRedelivered)
        {
            ForgetDeath();
        }
    }

    protected override void Retreat() => TakenBytes = 0;

    protected override void MoveTo(long position)
    {
        Volatile.Write(ref *_cursor, position);
        _record = _end = null;
        _origin = position;
        ForgetDeath();
    }

    // What the last owner may have handled before it died is behind the cursor now.
    private void ForgetDeath()
    {
        IsRedelivered = false;
        Control.Cursor(Seat.Cursor)->OwnerDied = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void StoreCursor()
    {
        FaultPoints.Hit(FaultPoint.BeforeCursorStore);
        Volatile.Write(ref *_cursor, _origin + (long)_record);
        FaultPoints.Hit(FaultPoint.AfterCursorStore);
        if (_record == _end)
        {
            LeaveSegment();
        }
    }

    // Producers may wait for the segment to be read.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LeaveSegment() => Space.WakeWaiters();

    private bool TryEnterNextSegment()
    {
        var position = Position;
        if (!TryEnter(position))
        {
            return false;
        }

        _record = Segment.At(position);
        _end = (byte*)Segment.Start + Control.SegmentBytes;
        _origin = position - (long)_record;
        return true;
    }
}
