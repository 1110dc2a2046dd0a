using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>
/// The position after the last message that consumers can reach, found without a lock and without a walk over a whole segment.
/// <code>
/// 1 start = a record near the end: the tail hint, or the last claim of the only producer
/// 2 a producer has at most one unfinished record, and stores its position: the first one before start is the answer
/// 3 otherwise walk on from start, over finished records
/// </code>
/// Step 2 follows step 1: every producer that claimed a record before the start had stored its position earlier.
/// </summary>
internal static class PublishedPosition
{
    /// <exception cref="QueueCorruptedException">The tail hint, a producer's claim or a record is damaged.</exception>
    public static long Of(SegmentStore segments)
    {
        while (true)
        {
            var newest = segments.RequireNewest();
            if (newest < 0)
            {
                return 0;
            }

            try
            {
                var position = Find(segments, newest);
                if (segments.IsOpen(newest))
                {
                    return position;
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or MessagesDeletedException && !segments.IsOpen(newest))
            {
                // The producers have moved on: the record now belongs to a later lap of the ring, or the segment was deleted.
            }
        }
    }

    private static long Find(SegmentStore segments, long newest)
    {
        var control = segments.Control;
        using var segment = segments.Map(newest);
        var start = Math.Clamp(FindStart(segments), segment.Position, segment.Position + control.SegmentBytes);
        var unfinished = FindUnfinished(segments, segment, start);
        return unfinished < start ? unfinished : segments.FindEndFrom(segment, start);
    }

    // If the only producer is closed, the walk begins at the start of the last segment.
    private static long FindStart(SegmentStore segments)
    {
        var control = segments.Control;
        ref var header = ref control.Header;
        if (control.Producers == ProducerMode.Multiple)
        {
            return Checked(segments, Volatile.Read(ref header.TailHint), control.OffsetOf(ref header.TailHint));
        }

        var slot = Volatile.Read(ref header.ProducerSlot);
        return slot is > ParticipantSlot.MembershipLock and < ParticipantSlot.Count ? ClaimOf(segments, slot) : 0;
    }

    private static long FindUnfinished(SegmentStore segments, in Segment newest, long start)
    {
        var control = segments.Control;
        var first = start;
        var used = control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            if (Volatile.Read(ref control.Participant(slot).Role) == ParticipantSlot.ProducerRole)
            {
                var claim = ClaimOf(segments, slot);
                if (claim < first && IsReservedBy(segments, newest, claim, slot))
                {
                    first = claim;
                }
            }
        }

        return first;
    }

    private static bool IsReservedBy(SegmentStore segments, in Segment newest, long position, int slot)
    {
        if (position >= newest.Position)
        {
            return IsReservedBy(newest, position, slot);
        }

        var number = position / segments.Control.SegmentBytes;
        if (!segments.IsOpen(number))
        {
            return false;
        }

        Segment older;
        try
        {
            older = segments.Map(number);
        }
        catch (MessagesDeletedException)
        {
            return false;
        }

        var isReserved = IsReservedBy(older, position, slot) && segments.IsOpen(number);
        older.Dispose();
        return isReserved;
    }

    private static bool IsReservedBy(in Segment segment, long position, int slot)
    {
        var word = Volatile.Read(ref segment.Word(position));
        return RecordWord.State(word) == RecordWord.Reserved && RecordWord.Owner(word) == slot;
    }

    private static long ClaimOf(SegmentStore segments, int slot)
    {
        var control = segments.Control;
        ref var producer = ref control.Participant(slot);
        return Checked(segments, Volatile.Read(ref producer.LastClaim), control.OffsetOf(ref producer.LastClaim));
    }

    private static long Checked(SegmentStore segments, long position, long offset) =>
        segments.MayHaveRecord(position) ? position : throw new QueueCorruptedException(segments.Control.Path, offset, $"no record can be at the position {position}");
}
