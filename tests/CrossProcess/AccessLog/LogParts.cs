using BufferedMessages.Samples.AccessLog;

namespace BufferedMessages.CrossProcess.AccessLog;

/// <summary>Processes that compare an access log that another one wrote, in place, with what they parse themselves.</summary>
internal static class LogParts
{
    /// <summary>Compares a message that is the whole log: <c>file log</c>.</summary>
    public static void CompareLog(string[] arguments)
    {
        using var message = BufferedMessage.Load<LogBufferedMessage>(arguments[0]);
        var lines = message.Message.Lines;
        var expected = Log.Parse(arguments[1]);
        var comparison = new LogComparison();
        for (var i = 0; i < lines.Count; i++)
        {
            comparison.Compare(expected.Lines[i], lines[i]);
        }

        Report(lines.Count, comparison);
    }

    /// <summary>Compares a message of each line: <c>queue log</c>.</summary>
    public static void CompareLines(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        using var consumer = queue.OpenConsumer<LogLineBufferedMessage>("reader");
        var expected = Log.Parse(arguments[1]);
        var comparison = new LogComparison();
        foreach (var line in expected.Lines)
        {
            consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan);
            using (delivery)
            {
                comparison.Compare(line, delivery.Message);
                delivery.Commit();
            }
        }

        Report(expected.Lines.Count, comparison);
    }

    private static void Report(int lines, LogComparison comparison) => Console.Out.WriteLine($"{lines} lines, {comparison.Fields} fields");
}
