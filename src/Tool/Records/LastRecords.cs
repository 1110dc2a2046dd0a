namespace BufferedMessages.Tool;

/// <summary>Finds the last messages of a queue. Records lead only forward, so a segment is read from its beginning, the last segment first.</summary>
internal static class LastRecords
{
    /// <summary>Finds the place from which a number of messages are left.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="count">How many.</param>
    /// <param name="end">The position where the messages end.</param>
    /// <param name="call">Ends the search.</param>
    public static QueueStart StartOf(MessageQueue queue, int count, long end, Call call)
    {
        if (count <= 0)
        {
            return QueueStart.Latest;
        }

        var first = queue.GetStatistics().FirstPosition;
        var upper = end;
        for (var segment = Math.Max(end - 1, 0) / queue.SegmentBytes; ; segment--)
        {
            var lower = Math.Max(segment * queue.SegmentBytes, first);
            if (lower <= first)
            {
                return At(Last(queue, QueueStart.Earliest, count, upper, call, out _));
            }

            var found = Last(queue, QueueStart.At(lower), count, upper, call, out var seen);
            if (seen >= count)
            {
                return At(found);
            }

            count -= seen;
            upper = lower;
        }
    }

    private static QueueStart At(long? position) => position is { } found ? QueueStart.At(found) : QueueStart.Earliest;

    // The segment may be deleted by now, and the walk then begins at the first message.
    // The position of the message from which that number is left, or of the first one if there are fewer.
    private static long? Last(MessageQueue queue, QueueStart start, int count, long end, Call call, out int seen)
    {
        var last = new Queue<long>();
        seen = 0;
        using var walk = Places.Walk(queue, start, end, call, wasFound: true);
        while (walk.TryNext(out var delivery))
        {
            seen++;
            last.Enqueue(delivery.Position);
            if (last.Count > count)
            {
                last.Dequeue();
            }
        }

        return last.TryPeek(out var position) ? position : null;
    }
}
