using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>Records that a consumer has read and not committed.</summary>
/// <param name="End">The position after the last of them.</param>
/// <param name="Messages">How many of them are messages, and not padding.</param>
/// <param name="PayloadBytes">Bytes of these messages.</param>
internal readonly unsafe record struct ReadRecords(long End, long Messages, long PayloadBytes)
{
    /// <summary>Walks from a consumer's cursor over the record at a position, and over the padding after it.</summary>
    /// <param name="control">The queue.</param>
    /// <param name="current">The segment that the consumer has mapped.</param>
    /// <param name="cursor">Where the walk begins.</param>
    /// <param name="position">The last record. One before the cursor is committed already: the walk then ends where it begins.</param>
    /// <param name="limit">The position after the last record that the consumer has read.</param>
    /// <exception cref="ArgumentOutOfRangeException">The consumer has read no message at this position.</exception>
    /// <exception cref="QueueCorruptedException">A record is damaged.</exception>
    public static ReadRecords Through(ControlFile control, in Segment current, long cursor, long position, long limit)
    {
        if (position < 0 || position >= limit)
        {
            throw NotRead(position);
        }

        // What retention has deleted meanwhile is done as well.
        var walked = new ReadRecords(Math.Max(cursor, control.Segments.First * control.SegmentBytes), 0, 0);
        while (walked.End <= position)
        {
            walked = walked.ThroughSegment(control, current, position, limit);
        }

        return walked;
    }

    private ReadRecords ThroughSegment(ControlFile control, in Segment current, long position, long limit)
    {
        var number = End / control.SegmentBytes;
        if (current.IsMapped && current.Position == number * control.SegmentBytes)
        {
            return Walk(control, current, position, limit);
        }

        Segment segment;
        try
        {
            segment = control.Segments.Map(number);
        }
        catch (MessagesDeletedException deleted)
        {
            return this with { End = deleted.FirstPosition };
        }

        try
        {
            return Walk(control, segment, position, limit);
        }
        finally
        {
            segment.Release();
        }
    }

    private ReadRecords Walk(ControlFile control, in Segment segment, long position, long limit)
    {
        var walked = this;
        var segmentEnd = segment.Position + control.SegmentBytes;
        while (walked.End < Math.Min(segmentEnd, limit))
        {
            var record = segment.At(walked.End);
            var word = Volatile.Read(ref *(ulong*)record);
            var isMessage = RecordWord.State(word) == RecordWord.Committed;
            if (isMessage && walked.End > position)
            {
                break;
            }

            if ((!isMessage && RecordWord.State(word) != RecordWord.Padding) || !RecordWord.HasValidLength(word, Math.Min(segmentEnd, limit) - walked.End))
            {
                SegmentStore.ThrowCorrupted(segment, walked.End, word);
            }

            var end = walked.End + RecordWord.Bytes(word);
            if (position >= walked.End && position < end && (position != walked.End || !isMessage))
            {
                throw NotRead(position);
            }

            walked = new ReadRecords(
                end,
                walked.Messages + (isMessage ? 1 : 0),
                walked.PayloadBytes + (isMessage ? *(uint*)(record + RecordWord.PayloadBytesOffset) : 0));
        }

        return walked;
    }

    private static ArgumentOutOfRangeException NotRead(long position) => new(
        nameof(position), position, "This consumer has read no message at this position. Commit through the position of one of its deliveries.");
}
