using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The message that a group's member had taken and not committed when it died or was closed. Its segment is mapped until <see cref="Release"/>.
/// </summary>
internal readonly unsafe record struct LeftMessage(Segment Segment, long Position, uint Bytes, int PayloadBytes)
{
    public byte* Start => Segment.At(Position);

    /// <summary>The record's offset in its segment.</summary>
    public long Offset => Position - Segment.Position;

    /// <summary>Finds what a member left. The caller holds its lease, so that nobody changes its word; as long as that stands, the segment stays.</summary>
    /// <returns>False when it left nothing: it had not come to take the record, or that is padding, or was deleted.</returns>
    /// <exception cref="QueueCorruptedException">The record is damaged.</exception>
    public static bool TryFind(ControlFile control, ParticipantSlot* member, out LeftMessage message)
    {
        message = default;
        var word = Volatile.Read(ref member->InFlight);
        var position = InFlight.Position(word);
        var number = position / control.SegmentBytes;
        var isTaken = InFlight.IsTaken(word, Volatile.Read(ref control.Cursor(member->Cursor)->Position));
        if (!isTaken || position % RecordWord.Alignment != 0 || !control.Segments.IsOpen(number))
        {
            return false;
        }

        var segment = control.Segments.Map(number);
        try
        {
            message = Read(control, segment, position);
        }
        finally
        {
            if (message.Bytes == 0)
            {
                segment.Release();
            }
        }

        return message.Bytes != 0;
    }

    /// <summary>Unmaps the segment; nothing for the default value.</summary>
    public void Release() => Segment.Release();

    private static LeftMessage Read(ControlFile control, in Segment segment, long position)
    {
        var record = segment.At(position);
        var word = Volatile.Read(ref *(ulong*)record);
        if (RecordWord.State(word) == RecordWord.Padding)
        {
            return default;
        }

        if (RecordWord.State(word) != RecordWord.Committed || !RecordWord.HasValidLength(word, segment.Position + control.SegmentBytes - position))
        {
            SegmentStore.ThrowCorrupted(segment, position, word);
        }

        return new LeftMessage(segment, position, RecordWord.Bytes(word), control.Segments.RequireWhole(record, position, RecordWord.Bytes(word)));
    }
}
