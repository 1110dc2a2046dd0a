namespace BufferedMessages.Tool;

/// <summary>Walks from places that a person gave.</summary>
internal static class Places
{
    /// <summary>Opens a walk.</summary>
    /// <exception cref="ToolException">No message begins at the position.</exception>
    public static QueueWalk Walk(MessageQueue queue, QueueStart start, long? end, Call call)
    {
        try
        {
            return new QueueWalk(queue, start, end, call);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            var statistics = queue.GetStatistics();
            if (exception.ActualValue is long position && position < statistics.FirstPosition)
            {
                call.Remark($"The messages from {Quantity.Of(position)} to {Quantity.Of(statistics.FirstPosition)} were deleted.");
                return new QueueWalk(queue, QueueStart.Earliest, end, call);
            }

            throw NoMessageAt(queue, exception);
        }
    }

    /// <summary>Gives the position of a place.</summary>
    public static long PositionOf(MessageQueue queue, StartArgument place, Call call)
    {
        if (place.Position is { } position)
        {
            return position;
        }

        using var reader = queue.OpenReader<RawMessage>(place.Start);
        call.Token.ThrowIfCancellationRequested();
        return reader.Position;
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
