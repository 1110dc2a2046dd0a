using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <content>
/// A loop that commits several messages by one store. When the loop asks for the record after the current one, and that is there, the commit of the current one waits:
/// <code>
/// 1 look which records follow, up to a number, in this segment   2 read position = the last of them   3 take all but the last, without a store
/// 4 commit them with the last one, or when the loop waits or ends
/// </code>
/// Step 2 comes before the first of them is taken, so that all are flagged if this consumer dies.
/// </content>
internal sealed partial class CursorReader
{
    private readonly int _messagesPerCommit;

    // The offset of the last record of the batch that is being read; 0 if there is none.
    private long _lastOfBatch;

    // Records that the loop is done with, and that are not committed yet.
    private long _handledMessages;
    private long _handledBytes;

    protected override bool TryDeferCommit()
    {
        if (_next > _lastOfBatch && (_handledMessages != 0 || _isAhead || _hasRedeliveries || !TryBeginBatch()))
        {
            return false;
        }

        TakenBytes = 0;
        _handledMessages++;
        _handledBytes += PayloadBytes;
        return true;
    }

    // SAFETY: RequireOffset checks each offset in the mapped segment, whose range stays memory.
    private unsafe bool TryBeginBatch()
    {
        var (offset, last) = (_next, 0L);
        for (var messages = 1; messages < _messagesPerCommit && offset < _end; messages++)
        {
            var word = Volatile.Read(ref *(ulong*)(Start + RequireOffset(offset)));
            if (!RecordWord.IsReadable(word) || !RecordWord.HasValidLength(word, _end - offset))
            {
                break;
            }

            last = offset;
            offset += RecordWord.Bytes(word);
        }

        _lastOfBatch = last;
        if (last == 0)
        {
            return false;
        }

        Volatile.Write(ref CursorRecord.ReadPosition, Origin + last);
        FaultPoints.Hit(FaultPoint.ReadPositionStored);
        return true;
    }

    /// <summary>Commits the records that the loop is done with, which end at a position.</summary>
    private void CommitHandled(long position)
    {
        CountHandled();
        StoreCursor(position);

        // The rest of the batch was not delivered.
        if (CursorRecord.ReadPosition > position)
        {
            Volatile.Write(ref CursorRecord.ReadPosition, position);
        }
    }

    private void CountHandled()
    {
        Me.Messages += _handledMessages;
        Me.PayloadBytes += _handledBytes;
        (_handledMessages, _handledBytes, _lastOfBatch) = (0, 0, 0);
    }
}
