using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>The options for a part of a queue; without them it is all of the queue.</summary>
internal sealed class RangeOptions
{
    /// <summary>Gets the option that says where it begins.</summary>
    public Option<StartArgument?> From { get; } = StartArgument.Option("--from", "Where to begin; by default at the earliest message");

    /// <summary>Gets the option that says where it ends.</summary>
    public Option<StartArgument?> To { get; } = StartArgument.Option("--to", "Where to end, before that message; by default after the last message there is now");

    /// <summary>Opens a walk over the part.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="call">The command line.</param>
    /// <param name="end">The position where the walk ends.</param>
    /// <exception cref="ToolException">No message begins there.</exception>
    public QueueWalk Walk(MessageQueue queue, Call call, out long end)
    {
        var published = queue.PublishedPosition;
        end = call.Value(To) is { } place ? Math.Min(published, PositionOf(queue, place, call)) : published;
        return Places.Walk(queue, call.Value(From)?.Start ?? QueueStart.Earliest, end, call);
    }

    private static long PositionOf(MessageQueue queue, StartArgument place, Call call)
    {
        if (place.Position is { } position)
        {
            return position;
        }

        using var reader = queue.OpenReader<RawMessage>(place.Start);
        call.Token.ThrowIfCancellationRequested();
        return reader.Position;
    }
}
