namespace BufferedMessages.Tool;

/// <summary>The last messages of a queue as lines, decoded by the schema that the queue keeps.</summary>
internal static class LastMessages
{
    private const int ShownBytes = 64;

    /// <summary>Reads them, the oldest first.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="count">The largest number of messages.</param>
    /// <param name="call">The command. Its remarks are not shown.</param>
    public static IReadOnlyList<(string Position, string Text)> Read(MessageQueue queue, int count, Call call)
    {
        using var console = ToolConsole.Silent();
        using var silent = call.For(console, call.Token);
        using var text = new MessageText(isReadable: true);
        var schemas = new SchemaVersions(queue);
        var end = queue.PublishedPosition;
        var lines = new Queue<(string, string)>();
        using var walk = Places.Walk(queue, LastRecords.StartOf(queue, count, end, silent), end, silent, wasFound: true);
        while (walk.TryNext(out var delivery))
        {
            lines.Enqueue((Quantity.Of(delivery.Position), LineOf(delivery.Message.Bytes, schemas.Newest, text)));
            if (lines.Count > count)
            {
                lines.Dequeue();
            }
        }

        return [.. lines];
    }

    private static string LineOf(ReadOnlySpan<byte> bytes, MessageSchema? schema, MessageText text)
    {
        if (schema is null)
        {
            return $"{Quantity.Count(bytes.Length, "byte")}  {Convert.ToHexStringLower(bytes[..Math.Min(bytes.Length, ShownBytes)])}";
        }

        return text.Write(bytes, schema) is { } error ? $"malformed: {TerminalText.Escape(error)}" : text.Line;
    }
}
