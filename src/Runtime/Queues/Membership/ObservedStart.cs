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
