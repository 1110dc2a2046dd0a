namespace BufferedMessages.Bridges.Torture;

/// <summary>The differences between the source and the destination.</summary>
/// <param name="Messages">The messages in the destination.</param>
/// <param name="Lost">Messages of the source that the destination does not have.</param>
/// <param name="Duplicated">Messages that the destination has more than once.</param>
/// <param name="Disordered">Messages after one with a higher number.</param>
/// <param name="Corrupt">Messages whose bytes are not those that were published.</param>
internal sealed record QueueComparison(long Messages, long Lost, long Duplicated, long Disordered, long Corrupt)
{
    public bool IsGood => Lost + Duplicated + Disordered + Corrupt == 0;

    /// <summary>Compares the queues. The destination may also have messages that a crash cut off the source after they were forwarded.</summary>
    public static QueueComparison Of(MessageQueue source, MessageQueue destination) => Of(source, destination, isOver: true);

    /// <summary>Compares them while messages come: lost are only those before the last one that has come.</summary>
    public static QueueComparison SoFar(MessageQueue source, MessageQueue destination) => Of(source, destination, isOver: false);

    /// <summary>The number of the last message; -1 if there is none.</summary>
    public static long LastNumber(MessageQueue queue)
    {
        using var reader = queue.OpenReader<NumberedMessageBufferedMessage>();
        return ReadToEnd(reader, -1);
    }

    /// <summary>Reads on to the end.</summary>
    /// <returns>The number of the last message; the given one if there was none.</returns>
    public static long ReadToEnd(MessageReader<NumberedMessageBufferedMessage> reader, long number)
    {
        while (TryRead(reader, out var message))
        {
            number = message.Number;
        }

        return number;
    }

    private static QueueComparison Of(MessageQueue source, MessageQueue destination, bool isOver)
    {
        var seen = new HashSet<long>();
        long duplicated = 0, disordered = 0, corrupt = 0, highest = -1;
        foreach (var (number, isWhole) in Numbers(destination))
        {
            duplicated += seen.Add(number) ? 0 : 1;
            disordered += number < highest ? 1 : 0;
            corrupt += isWhole ? 0 : 1;
            highest = Math.Max(highest, number);
        }

        var lost = Numbers(source).Count(message => (isOver || message.Number < highest) && !seen.Contains(message.Number));
        return new QueueComparison(seen.Count, lost, duplicated, disordered, corrupt);
    }

    private static IEnumerable<(long Number, bool IsWhole)> Numbers(MessageQueue queue)
    {
        using var reader = queue.OpenReader<NumberedMessageBufferedMessage>();
        while (TryRead(reader, out var message))
        {
            yield return message;
        }
    }

    private static bool TryRead(MessageReader<NumberedMessageBufferedMessage> reader, out (long Number, bool IsWhole) message)
    {
        message = default;
        if (!reader.TryRead(out var delivery))
        {
            return false;
        }

        var view = delivery.Message;
        message = (view.Number, view.Bytes.SequenceEqual(NumberedMessage.BytesOf(view.Number)));
        delivery.Commit();
        return true;
    }
}
