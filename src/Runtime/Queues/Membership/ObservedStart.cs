namespace BufferedMessages.Queues;

/// <summary>The search for the start of a reader that takes no part. The queue may advance during the search, and overtake the reader at once.</summary>
internal sealed class ObservedStart(SegmentStore segments)
{
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    public long Find(QueueStart start)
    {
        if (start.Position is { } position)
        {
            return Require(position);
        }

        if (start.Time is { } time)
        {
            return TimedStart.Find(segments, time);
        }

        return start.IsLatest ? PublishedPosition.Of(segments) : FirstPosition;
    }

    /// <summary>Finds the start in a queue that a crash of the machine has torn: nothing from the end on is read.</summary>
    /// <param name="start">The start.</param>
    /// <param name="end">The position where the repair will cut off the end.</param>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    public long FindBefore(QueueStart start, long end)
    {
        if (start.Position is { } position)
        {
            return position == end ? end : position < end ? Require(position) : throw StartPosition.NoMessageAt(position);
        }

        if (start.Time is { } time)
        {
            return Math.Min(TimedStart.Find(segments, time, SegmentsBefore(end)), end);
        }

        return start.IsLatest ? end : Math.Min(FirstPosition, end);
    }

    // The header of a segment that begins at the end may be torn.
    private long SegmentsBefore(long end) => (end + segments.Control.SegmentBytes - 1) / segments.Control.SegmentBytes;

    private long FirstPosition => segments.First * segments.Control.SegmentBytes;

    private long Require(long position)
    {
        while (true)
        {
            var count = segments.Count;
            if (position == 0 && count == 0)
            {
                return position;
            }

            var segment = position == count * segments.Control.SegmentBytes ? count - 1 : position / segments.Control.SegmentBytes;
            if (segment < 0 || segment >= count || !segments.IsOpen(segment))
            {
                throw StartPosition.NoMessageAt(position);
            }

            try
            {
                var isRecord = segments.FindClaimedEnd(segment, position) == position;
                if (segments.IsOpen(segment))
                {
                    return isRecord ? position : throw StartPosition.NoMessageAt(position);
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or MessagesDeletedException && !segments.IsOpen(segment))
            {
                // The segment was reused or deleted during the walk.
            }
        }
    }
}
