namespace BufferedMessages.Tool;

/// <summary>The consumer names of a queue.</summary>
internal static class ConsumerNames
{
    /// <summary>Finds a name.</summary>
    /// <exception cref="ToolException">There is no such name; the message lists those that are there.</exception>
    public static ConsumerStatistics Find(MessageQueue queue, string name)
    {
        var names = queue.GetStatistics().Consumers;
        return names.FirstOrDefault(known => string.Equals(known.Name, name, StringComparison.Ordinal))
            ?? throw Nearby.MissingName($"The queue has no consumer name '{name}'.", name, [.. names.Select(static known => known.Name)]);
    }

    /// <summary>Gives the place of the next message of a name.</summary>
    public static QueueStart StartOf(MessageQueue queue, string name) => QueueStart.At(Find(queue, name).Position);
}
