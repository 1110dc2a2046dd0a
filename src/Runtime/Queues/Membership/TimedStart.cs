namespace BufferedMessages.Queues;

/// <summary>The search for the first message of a time, over the times when segments were opened, and then over the messages of segments.</summary>
internal static class TimedStart
{
    /// <summary>Finds the position. The queue may go on during the search: the segment may be reused or deleted by then.</summary>
    /// <param name="segments">The queue's segments.</param>
    /// <param name="time">The time.</param>
    /// <param name="limit">The number of the segment before which the search ends.</param>
    public static long Find(SegmentStore segments, DateTimeOffset time, long limit = long.MaxValue)
    {
        while (true)
        {
            var (first, count) = (segments.First, Math.Min(segments.Count, limit));
            if (count <= first)
            {
                return count * segments.Control.SegmentBytes;
            }

            try
            {
                var segment = FirstWithMessages(segments, first, count, time);
                long found;
                do
                {
                    found = MessageTimes.FindFrom(segments, segment * segments.Control.SegmentBytes, time);
                }
                while (found % segments.Control.SegmentBytes == 0 && ++segment < limit && segments.IsOpen(segment));

                if (segments.First == first)
                {
                    return found;
                }
            }
            catch (Exception exception) when (exception is QueueCorruptedException or MessagesDeletedException && segments.First != first)
            {
                // The segment was reused or deleted during the search.
            }
        }
    }

    // The first segment that was not full by then. Where a clock was set back, later segments were opened earlier, so the times are not searched by halves.
    private static long FirstWithMessages(SegmentStore segments, long first, long count, DateTimeOffset time)
    {
        while (first < count - 1 && MessageTimes.OpeningOf(segments, first + 1) <= time)
        {
            first++;
        }

        return first;
    }
}
