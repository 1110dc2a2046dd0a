using System.Runtime.CompilerServices;
using BufferedMessages.Memory;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The engine of an exclusive consumer. It sees every record from its cursor on, and moves the cursor on commit. It may read on before it commits;
/// the cursor then stays until a later record, and all before it, are committed.
/// </summary>
internal sealed partial class CursorReader : ConsumerReader
{
    private readonly SharedRecord<long> _cursor;

    // The next record's offset, and the end of the segment. Both are 0 before the first segment is mapped.
    private long _next;
    private long _end;

    // Records before the current one were read but not committed.
    private bool _isAhead;

    // The messages between these positions are redeliveries: the last owner died or was closed with messages that it had read but not committed, or the cursor was moved.
    private bool _hasRedeliveries;
    private long _redeliveredFrom;
    private long _redeliveredThrough;

    // SAFETY: Start is not read before a segment is entered.
    public unsafe CursorReader(QueueHandle queue, Membership membership, ConsumerOptions options)
        : base(queue, membership, options)
    {
        _messagesPerCommit = options.MessagesPerCommit;
        DefersCommits = _messagesPerCommit > 1;
        _cursor = SharedRecord<long>.Of(ref CursorRecord.Position);
        Rebase(Start, _cursor.Value);
        _redeliveredThrough = CursorRecord.ReadPosition;
        _hasRedeliveries = CursorRecord.OwnerDied != 0 || _redeliveredThrough > _cursor.Value;
        if (_hasRedeliveries)
        {
            NoteRedeliveries();
        }
    }

    protected override bool IsRedelivered => _hasRedeliveries && TakenPosition >= _redeliveredFrom;

    private long NextPosition => Origin + _next;

    public override void CommitThrough(long position)
    {
        var isDelivering = IsDelivering;
        if (!isDelivering)
        {
            BeginUse();
        }

        try
        {
            if (HandledMessages != 0)
            {
                CommitHandled(isDelivering ? TakenPosition : NextPosition);
            }

            var end = FinishThrough(position);
            if (isDelivering && end > TakenPosition)
            {
                CloseCommitted();
            }
        }
        finally
        {
            if (!isDelivering)
            {
                EndUse();
            }
        }
    }

    public override void Rollback()
    {
        if (TakenBytes != 0)
        {
            TakenBytes = 0;
            _next = TakenOffset;
        }

        if (HandledMessages != 0)
        {
            CommitHandled(NextPosition);
        }
    }

    // SAFETY: The offset is checked against the end of the mapped segment, whose range stays memory.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override unsafe bool TryTake()
    {
        // Compared as an unsigned number, an offset outside of the segment is too large, even if threads share the reader by mistake.
        var offset = _next;
        if ((ulong)offset >= (ulong)_end)
        {
            return false;
        }

        var record = Start + offset;
        var word = Volatile.Read(ref *(ulong*)record);
        if (!RecordWord.IsReadable(word)
            || !RecordWord.HasValidLength(word, _end - offset)
            || !TryDeliver(record, offset, RecordWord.Bytes(word)))
        {
            return false;
        }

        _next = offset + RecordWord.Bytes(word);
        return true;
    }

    // SAFETY: RequireOffset checks the offset in the mapped segment, and the length is checked before the payload is read.
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override unsafe bool TryTakeSlow()
    {
        while (_next < _end || TryEnterNextSegment())
        {
            var offset = RequireOffset(_next);
            var record = Start + offset;
            var word = Volatile.Read(ref *(ulong*)record);
            var hasValidLength = RecordWord.HasValidLength(word, SegmentBytes - offset);
            switch (RecordWord.State(word))
            {
                case RecordWord.Free or RecordWord.Reserved:
                    if (!TryResolve(Segment, NextPosition, word))
                    {
                        return false;
                    }

                    Segments.Events.Tell();
                    break;
                case RecordWord.Committed when hasValidLength:
                    Deliver(record, offset, RecordWord.Bytes(word));
                    _next = offset + RecordWord.Bytes(word);
                    return true;
                case RecordWord.Padding when hasValidLength:
                    Segments.RequirePadding(record, NextPosition, word, Segment.Position + SegmentBytes - NextPosition);
                    StepOver(RecordWord.Bytes(word));
                    break;
                default:
                    SegmentStore.ThrowCorrupted(Segment, NextPosition, word);
                    break;
            }
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override void Finish()
    {
        if (_isAhead)
        {
            // If that fails, the record is still the current one.
            FinishThrough(TakenPosition);
            TakenBytes = 0;
            return;
        }

        TakenBytes = 0;
        CountFinished();
        if (HandledMessages != 0)
        {
            CommitHandled(NextPosition);
        }
        else
        {
            StoreCursor(NextPosition);
        }

        if (_next == _end)
        {
            WakeProducers();
        }

        if (_hasRedeliveries)
        {
            ForgetRedeliveries(TakenPosition);
        }
    }

    // Stored before the next delivery, so that all read messages are flagged if this consumer dies. An earlier consumer's mark may be further on.
    protected override void ReadOn()
    {
        Volatile.Write(ref CursorRecord.ReadPosition, Math.Max(CursorRecord.ReadPosition, NextPosition));
        FaultPoints.Hit(FaultPoint.ReadPositionStored);
        _isAhead = true;
        LeaveDelivery();
    }

    // SAFETY: The address stays that of mapped memory; an end of 0 lets no offset pass.
    protected override unsafe void MoveTo(long position)
    {
        // Messages that were read but not committed are flagged when they are delivered again, even if this consumer dies.
        var read = Math.Max(CursorRecord.ReadPosition, _cursor.Value);
        var comeAgain = (_isAhead || _hasRedeliveries) && position <= read;
        if (comeAgain)
        {
            Volatile.Write(ref CursorRecord.ReadPosition, read);
        }

        _redeliveredFrom = comeAgain ? Math.Max(_redeliveredFrom, _cursor.Value) : 0;
        Volatile.Write(ref _cursor.Value, position);
        Rebase(Start, position);
        _next = _end = 0;
        _isAhead = false;
        if (comeAgain)
        {
            _hasRedeliveries = true;
            _redeliveredThrough = read;
        }
        else
        {
            CursorRecord.ReadPosition = 0;
            _redeliveredThrough = 0;
            ForgetRedeliveries(position);
        }
    }

    /// <summary>Commits a record and everything before it.</summary>
    /// <returns>The cursor.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long FinishThrough(long position)
    {
        var cursor = _cursor.Value;
        var done = ReadRecords.Through(Segments, Segment, cursor, position, NextPosition);
        if (done.End > cursor)
        {
            cursor = done.End;
            Me.Messages += done.Messages;
            Me.PayloadBytes += done.PayloadBytes;
            StoreCursor(cursor);
            WakeProducers();
            ForgetRedeliveries(position);
            _isAhead = cursor != NextPosition;
        }

        return cursor;
    }

    // A skipped record is committed once all records before it are.
    private void StepOver(uint bytes)
    {
        _next += bytes;
        if (!_isAhead)
        {
            StoreCursor(NextPosition);
            if (_next == _end)
            {
                WakeProducers();
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void StoreCursor(long position)
    {
        FaultPoints.Hit(FaultPoint.BeforeCursorStore);
        Volatile.Write(ref _cursor.Value, position);
        FaultPoints.Hit(FaultPoint.AfterCursorStore);
    }

    // Producers may wait until the segment is read.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WakeProducers() => Space.WakeWaiters();

    /// <summary>Ends the redeliveries, if all messages that may be redeliveries are committed now.</summary>
    private void ForgetRedeliveries(long committed)
    {
        if (_hasRedeliveries && committed >= _redeliveredThrough)
        {
            _hasRedeliveries = false;
            CursorRecord.OwnerDied = 0;
        }
    }

    // SAFETY: The first byte of a mapped segment.
    private unsafe bool TryEnterNextSegment()
    {
        var position = NextPosition;
        if (!TryEnter(position))
        {
            return false;
        }

        var origin = Segment.Position;
        Rebase(Segment.At(origin), origin);
        _next = position - origin;
        Volatile.Write(ref _end, SegmentBytes);
        return true;
    }
}
