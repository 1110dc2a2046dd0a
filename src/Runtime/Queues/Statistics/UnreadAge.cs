namespace BufferedMessages.Queues;

/// <summary>The age of the oldest unread message of a name.</summary>
internal static class UnreadAge
{
    /// <summary>Reads the age.</summary>
    /// <param name="segments">The queue's segments.</param>
    /// <param name="position">The cursor.</param>
    /// <param name="published">The published position.</param>
    /// <returns>Null if no message is unread; also if the segment was reused or deleted in between.</returns>
    public static TimeSpan? Of(SegmentStore segments, long position, long published)
    {
        position = Math.Max(position, segments.First * segments.Control.SegmentBytes);
        try
        {
            while (position < published)
            {
                var number = position / segments.Control.SegmentBytes;
                var message = MessageTimes.FindFrom(segments, position, time: null);
                if (message % segments.Control.SegmentBytes != 0)
                {
                    return message < published ? OfMessage(segments, number, message) : null;
                }

                if (message == position)
                {
                    // A segment that is reused at the moment, or damaged.
                    return null;
                }

                position = message;
            }
        }
        catch (MessagesDeletedException)
        {
            return null;
        }

        return null;
    }

    private static TimeSpan? OfMessage(SegmentStore segments, long number, long message)
    {
        var age = AgeOf(MessageTimes.Of(segments, message));

        // The bytes are read before the state: the segment may be reused in between.
        Volatile.ReadBarrier();
        return segments.IsOpen(number) ? age : null;
    }

    // The time may be ahead: of a producer by another machine's clock, or from before the clock was set back.
    private static TimeSpan AgeOf(DateTimeOffset published)
    {
        var age = DateTimeOffset.UtcNow - published;
        return age > TimeSpan.Zero ? age : TimeSpan.Zero;
    }
}
