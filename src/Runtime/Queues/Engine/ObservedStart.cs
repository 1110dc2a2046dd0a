namespace BufferedMessages.Queues;

/// <summary>Finds where a reader that takes no part is to begin. The queue may go on meanwhile, and overtake the reader at once.</summary>
internal sealed class ObservedStart(ControlFile control)
{
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    public long Find(QueueStart start)
    {
        if (start.Position is { } position)
        {
            return Require(position);
        }

        return start.IsLatest ? PublishedPosition.Of(control) : FirstPosition;
    }

    private long FirstPosition => control.Segments.First * control.SegmentBytes;

    private long Require(long position)
    {
        while (true)
        {
            var segments = control.Segments;
            var count = segments.Count;
            if (position == 0 && count == 0)
            {
                return position;
            }

            var segment = position == count * control.SegmentBytes ? count - 1 : position / control.SegmentBytes;
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
                // The segment was reused or deleted while it was walked.
            }
        }
    }
}
