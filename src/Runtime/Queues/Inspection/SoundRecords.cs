using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The search for the next record after a damaged one. With checksums, that is the next place where the bytes match the checksum of a record. Without them, it is the first place from which
/// records follow each other up to a place that the control file names, or to the end of the segment: bytes of a payload do not do that by chance.
/// </summary>
internal sealed class SoundRecords
{
    // A payload may be full of what looks like records; then the search ends.
    private const long MaxPasses = 64;

    private readonly SegmentStore _segments;
    private readonly Segment _segment;
    private readonly long _end;
    private readonly long _lastMark;
    private long _budget;

    public SoundRecords(SegmentStore segments, in Segment segment, ControlMarks marks)
    {
        _segments = segments;
        _segment = segment;
        _end = segment.Position + segment.Bytes;
        _lastMark = Math.Min(marks.LastBefore(_end + 1), _end);
        _budget = MaxPasses * segment.Bytes;
    }

    /// <summary>Finds the position of the next sound record; the end of the segment if there is none.</summary>
    /// <param name="position">The position of the damaged record.</param>
    public long FindAfter(long position)
    {
        Debug.Assert(position >= _segment.Position && position < _end, "The record lies in the segment.");
        var word = Volatile.Read(ref _segment.Word(position));
        var follows = RecordWord.HasValidLength(word, _end - position) ? position + RecordWord.Bytes(word) : -1;
        var hasChecksums = _segments.Control.HasChecksums;
        if (!hasChecksums && (follows == _end || (follows >= 0 && LeadsOn(follows))))
        {
            return follows;
        }

        // The damage may be in the length, so the nearest record is taken.
        for (var next = position + RecordWord.Alignment; next < _end && _budget > 0; next += RecordWord.Alignment)
        {
            if (IsRecord(next, out _) && (hasChecksums || LeadsOn(next)))
            {
                return next;
            }
        }

        return follows >= 0 && IsFreeEnd(follows) ? follows : _end;
    }

    private static bool IsFinished(ulong word) => RecordWord.State(word) is RecordWord.Committed or RecordWord.Padding;

    // Of a producer that is alive, or died.
    private bool IsReserved(long position, ulong word) =>
        RecordWord.State(word) == RecordWord.Reserved && RecordWord.HasValidLength(word, _end - position)
        && RecordWord.Owner(word) is > ParticipantSlot.MembershipLock and < ParticipantSlot.Count;

    // Nothing is known to be after it.
    private bool IsFreeEnd(long position) => position < _end && Volatile.Read(ref _segment.Word(position)) == _segment.FreeWord && position >= _lastMark;

    // SAFETY: The segment is mapped, and At checks the position.
    private unsafe bool IsRecord(long position, out uint bytes)
    {
        var record = _segment.At(position);
        var word = Volatile.Read(ref *(ulong*)record);
        bytes = RecordWord.Bytes(word);
        if (!IsFinished(word) || !RecordWord.HasValidLength(word, _end - position) || RecordWord.Owner(word) >= ParticipantSlot.Count)
        {
            return false;
        }

        _budget -= bytes;
        return _segments.IsWhole(record, position, _end - position, out bytes) && (_segments.Control.HasChecksums || IsTight(record, position, word, bytes));
    }

    // SAFETY: The caller has checked that the record ends within its segment, and the payload within the record.
    private static unsafe bool IsTight(byte* record, long position, ulong word, uint bytes)
    {
        var payloadBytes = (int)Math.Min(*(uint*)(record + RecordWord.PayloadBytesOffset), bytes - RecordWord.HeaderBytes);
        return RecordWord.State(word) == RecordWord.Padding
            || ((word & RecordWord.HasProperties) == 0
                ? bytes == RecordWord.RecordBytes(payloadBytes)
                : PropertyBlock.IsWhole(word, SegmentStore.RestOf(record, bytes, (uint)payloadBytes), position));
    }

    private bool LeadsOn(long position)
    {
        var first = position;
        var passesMark = _lastMark < first;
        while (position < _end)
        {
            passesMark |= position == _lastMark;
            var word = Volatile.Read(ref _segment.Word(position));
            var isReserved = IsReserved(position, word);

            // A single producer gives back the unused part of its reservation, so nothing is known to be after it.
            if (word == _segment.FreeWord || (isReserved && _segments.Control.Producers == ProducerMode.Single))
            {
                return position > first && position >= _lastMark && _lastMark >= first && passesMark;
            }

            if (isReserved)
            {
                _budget -= RecordWord.Bytes(word);
                position += RecordWord.Bytes(word);
            }
            else if (IsRecord(position, out var bytes))
            {
                position += bytes;
            }
            else
            {
                return false;
            }
        }

        return position == _end && position > first && (passesMark || _lastMark == _end);
    }
}
