namespace BufferedMessages.Queues;

/// <summary>
/// The search for the first message of a time. A segment that was full by then is skipped, judged by the times when it and the next one were opened. But a message may have a later time than the
/// opening of the next segment: its claim was held while others filled the segment, or the clock has been set back. A segment with signs of that is therefore searched for such messages.
/// </summary>
internal static class TimedStart
{
    // Messages may be this much later than the opening of the next segment.
    private static readonly TimeSpan Lateness = TimeSpan.FromMinutes(1);

    /// <summary>Finds the position. The queue may continue during the search, so the segment may have been reused or deleted by its end.</summary>
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
                var found = FindFrom(segments, first, time, limit);

                // The times are read before the states.
                Volatile.ReadBarrier();
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

    private static long FindFrom(SegmentStore segments, long segment, DateTimeOffset time, long limit)
    {
        for (var opened = MessageTimes.OpeningOf(segments, segment); ; segment++)
        {
            var hasNext = segment + 1 < limit && segments.IsOpen(segment + 1);
            var next = hasNext ? MessageTimes.OpeningOf(segments, segment + 1) : DateTimeOffset.MaxValue;
            var isPassedOver = opened <= next && next < time && time - next > Lateness;
            opened = next;
            if (isPassedOver)
            {
                continue;
            }

            var found = MessageTimes.FindFrom(segments, segment * segments.Control.SegmentBytes, time, needsTime: next <= time);
            if (!hasNext || found % segments.Control.SegmentBytes != 0)
            {
                return found;
            }
        }
    }
}
