using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The times of messages: from their properties, or else the time when their segment was opened, which is not after their publishing. The queue may continue during a
/// look, and reuse or delete the segment. The result is then meaningless, and the caller checks for that.
/// </summary>
internal static class MessageTimes
{
    /// <summary>Finds the first message from a position on that has no earlier time in its properties.</summary>
    /// <param name="segments">The queue's segments.</param>
    /// <param name="position">The position of a record in an open segment.</param>
    /// <param name="time">The time; null finds the first message.</param>
    /// <param name="needsTime">Whether messages without a time are skipped too.</param>
    /// <returns>Its position; the position of the first unfinished record, or the end of the segment, if there is none.</returns>
    public static long FindFrom(SegmentStore segments, long position, DateTimeOffset? time, bool needsTime = false)
    {
        using var segment = segments.Map(position / segments.Control.SegmentBytes);
        var end = segment.Position + segment.Bytes;
        while (position < end)
        {
            var word = Volatile.Read(ref segment.Word(position));
            var isMessage = RecordWord.State(word) == RecordWord.Committed;
            if ((!isMessage && RecordWord.State(word) != RecordWord.Padding) || !RecordWord.HasValidLength(word, end - position))
            {
                return position;
            }

            if (isMessage && (time is null || (StampOf(segment, position, word) is { } stamp ? stamp >= time : !needsTime)))
            {
                return position;
            }

            position += RecordWord.Bytes(word);
        }

        return end;
    }

    /// <summary>The time of the message at a position of an open segment.</summary>
    public static DateTimeOffset Of(SegmentStore segments, long position)
    {
        using var segment = segments.Map(position / segments.Control.SegmentBytes);
        return StampOf(segment, position, Volatile.Read(ref segment.Word(position))) ?? segment.Header.Opened;
    }

    /// <summary>The time when an open segment was opened.</summary>
    public static DateTimeOffset OpeningOf(SegmentStore segments, long number)
    {
        using var segment = segments.Map(number);
        return segment.Header.Opened;
    }

    // SAFETY: The length of the record is checked against its segment, and that of the payload against the record.
    private static unsafe DateTimeOffset? StampOf(in Segment segment, long position, ulong word)
    {
        if ((word & RecordWord.HasProperties) == 0 || !RecordWord.HasValidLength(word, segment.Position + segment.Bytes - position))
        {
            return null;
        }

        var record = segment.At(position);
        var payloadBytes = *(uint*)(record + RecordWord.PayloadBytesOffset);
        if (payloadBytes > RecordWord.Bytes(word) - RecordWord.HeaderBytes)
        {
            return null;
        }

        return PropertyBlock.TryFind(SegmentStore.RestOf(record, RecordWord.Bytes(word), payloadBytes), position, out var block) ? new PropertyEntries(block).Time : null;
    }
}
