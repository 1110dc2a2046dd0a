using System.Diagnostics;

namespace BufferedMessages.Tool;

/// <summary>Walks from places that a person gave.</summary>
internal static class Places
{
    // A producer of a bounded queue overwrites the first segment before its positions count as deleted, a moment later.
    private static readonly TimeSpan ReusePatience = TimeSpan.FromMilliseconds(100);

    /// <summary>Opens a walk. It begins at the first message if those of its start are deleted.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="start">Where it begins.</param>
    /// <param name="end">The position where it ends; null for a walk that waits for more messages.</param>
    /// <param name="call">Ends it.</param>
    /// <param name="wasFound">Whether a message was found at the start a moment ago: if it is gone now, it is being overwritten.</param>
    /// <exception cref="ToolException">No message begins at the position.</exception>
    public static QueueWalk Walk(MessageQueue queue, QueueStart start, long? end, Call call, bool wasFound = false)
    {
        var begin = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return new QueueWalk(queue, start, end, call);
            }
            catch (ArgumentOutOfRangeException exception)
            {
                var first = queue.GetStatistics().FirstPosition;
                if (exception.ActualValue is long deleted && deleted < first)
                {
                    call.Remark($"The messages from {Quantity.Of(deleted)} to {Quantity.Of(first)} were deleted.");
                    start = QueueStart.Earliest;
                    continue;
                }

                if (exception.ActualValue is not long position || position / queue.SegmentBytes > first / queue.SegmentBytes || Stopwatch.GetElapsedTime(begin) > ReusePatience)
                {
                    if (!wasFound)
                    {
                        throw NoMessageAt(queue, exception);
                    }

                    (start, wasFound) = (QueueStart.Earliest, false);
                }

                Thread.Sleep(1);
            }
        }
    }

    /// <summary>Says that no message begins at a position.</summary>
    public static ToolException NoMessageAt(MessageQueue queue, ArgumentOutOfRangeException exception)
    {
        var statistics = queue.GetStatistics();
        return new ToolException(
            $"No message begins at position {exception.ActualValue}. The queue has the positions from {statistics.FirstPosition} to {statistics.PublishedPosition}; " +
            "`tail` and `dump` show those of messages.");
    }
}
