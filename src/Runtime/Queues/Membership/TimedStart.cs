namespace BufferedMessages.Queues;

/// <summary>The search for the first message of a time, by halves over the times when segments were opened, and then over the messages of one segment.</summary>
internal static class TimedStart
{
    /// <summary>Finds the position. The queue may go on during the search: the segment may be reused or deleted by then.</summary>
    public static long Find(SegmentStore segments, DateTimeOffset time)
    {
        while (true)
        {
            var (first, count) = (segments.First, segments.Count);
            if (count <= first)
            {
                return count * segments.Control.SegmentBytes;
            }

            try
            {
                var segment = LastOpenedBy(segments, first, count, time);
                long found;
                do
                {
                    found = MessageTimes.FindFrom(segments, segment * segments.Control.SegmentBytes, time);
                }
                while (found % segments.Control.SegmentBytes == 0 && segments.IsOpen(++segment));

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

    // The first segment there is, if all were opened later.
    private static long LastOpenedBy(SegmentStore segments, long first, long count, DateTimeOffset time)
    {
        while (count - first > 1)
        {
            var middle = first + ((count - first) / 2);
            if (MessageTimes.OpeningOf(segments, middle) <= time)
            {
                first = middle;
            }
            else
            {
                count = middle;
            }
        }

        return first;
    }
}
