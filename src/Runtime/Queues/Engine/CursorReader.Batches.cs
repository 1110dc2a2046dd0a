using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <content>
/// A loop that commits several messages with one store. If the next record is there when the loop asks for it, the commit of the current one waits:
/// <code>
/// 1 look which records follow, up to a number, in this segment   2 read position = the last of them   3 take all but the last, without a store
/// 4 commit them with the last one, or when the loop waits or ends
/// </code>
/// Step 2 precedes the first take, so that all of them are flagged as redeliveries if this consumer dies.
/// </content>
internal sealed partial class CursorReader
{
    private readonly int _messagesPerCommit;

    // SAFETY: Each offset is checked against the end of the mapped segment, whose range stays memory.
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override unsafe bool TryBeginBatch()
    {
        if (HandledMessages != 0 || _isAhead || _hasRedeliveries)
        {
            return false;
        }

        var start = Start;
        var (offset, last, end) = (_next, 0L, _end);
        uint bytes = 0;
        for (var messages = 1; messages < _messagesPerCommit && (ulong)offset < (ulong)end; messages++)
        {
            var word = Volatile.Read(ref *(ulong*)(start + offset));
            if (!RecordWord.IsReadable(word) || !RecordWord.HasValidLength(word, end - offset))
            {
                break;
            }

            last = offset;

            // Most records are as long as the one before. The processor then predicts this branch, and reads the next record without waiting for this one.
            if (bytes != RecordWord.Bytes(word))
            {
                bytes = RecordWord.Bytes(word);
            }

            offset += bytes;
        }

        if (last == 0)
        {
            return false;
        }

        Volatile.Write(ref CursorRecord.ReadPosition, Origin + last);
        FaultPoints.Hit(FaultPoint.ReadPositionStored);
        DeferCommitsBefore(last);
        return true;
    }

    /// <summary>Commits the records that the loop has finished, which end at a position.</summary>
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
        Me.Messages += HandledMessages;
        Me.PayloadBytes += HandledPayloadBytes;
        ForgetHandled();
    }
}
