using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The orphaned message of a group's member that died or was closed before it committed. Its segment is mapped until <see cref="Dispose"/>.
/// </summary>
internal readonly record struct OrphanedMessage(Segment Segment, long Position, uint Bytes, int PayloadBytes) : IDisposable
{
    // SAFETY: At checks the position in the segment, which this message holds mapped.
    public unsafe byte* Start => Segment.At(Position);

    /// <summary>The record's offset in its segment.</summary>
    public long Offset => Position - Segment.Position;

    /// <summary>Finds a member's orphaned message. The caller holds the member's lease, so its in-flight word does not change; while the word is set, the segment stays.</summary>
    /// <returns>False if it has none: the member had not taken the record, or the record is padding or was deleted.</returns>
    /// <exception cref="QueueCorruptedException">The record is damaged.</exception>
    public static bool TryFind(SegmentStore segments, ref ParticipantSlot member, out OrphanedMessage message)
    {
        message = default;
        var control = segments.Control;
        var word = Volatile.Read(ref member.InFlight);
        var position = InFlight.Position(word);
        var number = position / control.SegmentBytes;
        var isTaken = InFlight.IsTaken(word, Volatile.Read(ref control.Cursor(member.Cursor).Position));
        if (!isTaken || position % RecordWord.Alignment != 0 || !segments.IsOpen(number))
        {
            return false;
        }

        Segment segment;
        try
        {
            segment = segments.Map(number);
        }
        catch (MessagesDeletedException)
        {
            return false;
        }

        try
        {
            message = Read(segments, segment, position);
        }
        finally
        {
            if (message.Bytes == 0)
            {
                segment.Dispose();
            }
        }

        return message.Bytes != 0;
    }

    /// <summary>Unmaps the segment; does nothing for the default value.</summary>
    public void Dispose() => Segment.Dispose();

    // SAFETY: The segment is mapped, At checks the position, and the length is checked before the payload is read.
    private static unsafe OrphanedMessage Read(SegmentStore segments, in Segment segment, long position)
    {
        Debug.Assert(segment.IsMapped, "The segment is mapped.");
        var record = segment.At(position);
        var word = Volatile.Read(ref *(ulong*)record);
        if (RecordWord.State(word) == RecordWord.Padding)
        {
            return default;
        }

        if (RecordWord.State(word) != RecordWord.Committed || !RecordWord.HasValidLength(word, segment.Position + segment.Bytes - position))
        {
            SegmentStore.ThrowCorrupted(segment, position, word);
        }

        return new OrphanedMessage(segment, position, RecordWord.Bytes(word), segments.RequireWhole(record, position, RecordWord.Bytes(word)));
    }
}
