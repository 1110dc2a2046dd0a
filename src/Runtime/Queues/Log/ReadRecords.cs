using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>Records that a consumer has read but not committed.</summary>
/// <param name="End">The position after the last of them.</param>
/// <param name="Messages">The number of records that are messages, not padding.</param>
/// <param name="PayloadBytes">Bytes of these messages.</param>
internal readonly record struct ReadRecords(long End, long Messages, long PayloadBytes)
{
    /// <summary>Walks from a consumer's cursor over the record at a position, and over the padding after it.</summary>
    /// <param name="segments">The queue's segments.</param>
    /// <param name="current">The segment that the consumer has mapped.</param>
    /// <param name="cursor">The cursor, where the walk begins.</param>
    /// <param name="position">The last record. A position before the cursor is committed already; the walk then ends where it begins.</param>
    /// <param name="limit">The position after the last record that the consumer has read.</param>
    /// <exception cref="ArgumentOutOfRangeException">The consumer has read no message at this position.</exception>
    /// <exception cref="QueueCorruptedException">A record is damaged.</exception>
    public static ReadRecords Through(SegmentStore segments, in Segment current, long cursor, long position, long limit)
    {
        if (position < 0 || position >= limit)
        {
            throw NotRead(position);
        }

        // Read records that retention has since deleted count as committed. Unread ones stay after the cursor, so that their loss is reported.
        var walked = new ReadRecords(Math.Max(cursor, Math.Min(segments.First * segments.Control.SegmentBytes, limit)), 0, 0);

        // A segment begins with padding, its header. A walk that ends between two segments therefore continues to the next message that was read.
        while (walked.End <= position || (walked.End < limit && walked.End % segments.Control.SegmentBytes == 0))
        {
            walked = walked.ThroughSegment(segments, current, position, limit);
        }

        return walked;
    }

    private ReadRecords ThroughSegment(SegmentStore segments, in Segment current, long position, long limit)
    {
        var number = End / segments.Control.SegmentBytes;
        if (current.IsMapped && current.Position == number * current.Bytes)
        {
            return Walk(current, position, limit);
        }

        Segment segment;
        try
        {
            segment = segments.Map(number);
        }
        catch (MessagesDeletedException deleted)
        {
            return this with { End = Math.Min(deleted.FirstPosition, limit) };
        }

        using (segment)
        {
            return Walk(segment, position, limit);
        }
    }

    // SAFETY: The segment is mapped, At checks each position, and a header lies within the aligned 16 bytes there.
    private unsafe ReadRecords Walk(in Segment segment, long position, long limit)
    {
        Debug.Assert(segment.IsMapped, "The segment is mapped.");
        var walked = this;
        var segmentEnd = segment.Position + segment.Bytes;
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
