using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// Finds the position behind the last message that consumers can reach, without a lock and without a walk over a whole segment.
/// <code>
/// 1 start = a record near the end: the tail hint, or the last claim of the only producer
/// 2 a producer has at most one unfinished record, and says where: the first one in front of start is the answer
/// 3 otherwise walk on from start, over finished records
/// </code>
/// Step 2 comes after step 1: whoever claimed in front of the start had written down where before.
/// </summary>
internal static unsafe class PublishedPosition
{
    /// <exception cref="QueueCorruptedException">The tail hint, a producer's claim or a record is damaged.</exception>
    public static long Of(ControlFile control)
    {
        while (true)
        {
            var newest = control.Segments.Count - 1;
            if (newest < 0)
            {
                return 0;
            }

            try
            {
                var position = Find(control, newest);
                if (control.Segments.IsOpen(newest))
                {
                    return position;
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or MessagesDeletedException && !control.Segments.IsOpen(newest))
            {
                // The producers went on meanwhile: what was read belongs to a later lap of the ring, or the segment was deleted behind them.
            }
        }
    }

    private static long Find(ControlFile control, long newest)
    {
        var segment = control.Segments.Map(newest);
        try
        {
            var start = Math.Clamp(FindStart(control), segment.Position, segment.Position + control.SegmentBytes);
            var unfinished = FindUnfinished(control, segment, start);
            return unfinished < start ? unfinished : control.Segments.FindEndFrom(segment, start);
        }
        finally
        {
            segment.Release();
        }
    }

    // A queue whose only producer is closed is walked from the start of its last segment.
    private static long FindStart(ControlFile control)
    {
        var header = control.Header;
        if (control.Producers == ProducerMode.Multiple)
        {
            return Checked(control, Volatile.Read(ref header->TailHint), control.OffsetOf(&header->TailHint));
        }

        var slot = Volatile.Read(ref header->ProducerSlot);
        return slot is > ParticipantSlot.Registrar and < ParticipantSlot.Count ? ClaimOf(control, slot) : 0;
    }

    private static long FindUnfinished(ControlFile control, in Segment newest, long start)
    {
        var first = start;
        var used = Math.Min(Volatile.Read(ref control.Header->UsedSlots), ParticipantSlot.Count);
        for (var slot = 1; slot < used; slot++)
        {
            if (Volatile.Read(ref control.Participant(slot)->Role) == ParticipantSlot.ProducerRole)
            {
                var claim = ClaimOf(control, slot);
                if (claim < first && IsReservedBy(control, newest, claim, slot))
                {
                    first = claim;
                }
            }
        }

        return first;
    }

    private static bool IsReservedBy(ControlFile control, in Segment newest, long position, int slot)
    {
        if (position >= newest.Position)
        {
            return IsReservedBy(newest, position, slot);
        }

        var number = position / control.SegmentBytes;
        if (!control.Segments.IsOpen(number))
        {
            return false;
        }

        Segment older;
        try
        {
            older = control.Segments.Map(number);
        }
        catch (MessagesDeletedException)
        {
            return false;
        }

        var isReserved = IsReservedBy(older, position, slot) && control.Segments.IsOpen(number);
        older.Release();
        return isReserved;
    }

    private static bool IsReservedBy(in Segment segment, long position, int slot)
    {
        var word = Volatile.Read(ref *(ulong*)segment.At(position));
        return RecordWord.State(word) == RecordWord.Reserved && RecordWord.Owner(word) == slot;
    }

    private static long ClaimOf(ControlFile control, int slot)
    {
        var producer = control.Participant(slot);
        return Checked(control, Volatile.Read(ref producer->LastClaim), control.OffsetOf(&producer->LastClaim));
    }

    private static long Checked(ControlFile control, long position, long offset)
    {
        // The end of the newest segment is the beginning of one that is not open yet. A segment may have been opened since.
        var isPossible = position >= 0 && position % RecordWord.Alignment == 0 && position / control.SegmentBytes <= control.Segments.Count;
        return isPossible ? position : throw new QueueCorruptedException(control.Path, offset, $"the position {position} is none where a record can be");
    }
}
