using System.Globalization;

namespace BufferedMessages.CrossProcess.Doors;

/// <summary>What the started processes of this folder do.</summary>
internal static class DoorParts
{
    public const string Name = "killed";

    /// <summary>A message is held when its number leaves this rest of <see cref="Period"/>.</summary>
    public const int HeldRest = 3;

    public const int Period = 5;

    private const int OthersFillers = 3;

    /// <summary>
    /// Notes each message in a file, as an effect that must not be lost, and commits it after an await. Every fifth one it says, and holds until it is killed.
    /// </summary>
    public static void HoldAcrossAwaits(string[] arguments) => HoldAcrossAwaitsAsync(arguments).GetAwaiter().GetResult();

    /// <summary>Looks into a queue that it may only read, and says what it sees.</summary>
    public static void Look(string[] arguments)
    {
        using var queue = MessageQueue.OpenExisting(arguments[0]);
        var names = queue.GetStatistics().Consumers.Select(consumer => $"{consumer.Name} {consumer.Members.Count(member => member.IsAlive)}");
        Say($"{MessageQueue.List(Path.GetDirectoryName(arguments[0])).Count} {queue.Mode} {queue.Schemas.Count} {string.Join(", ", names)}");
        using var reader = queue.OpenReader<RawMessage>();
        var read = 0;
        while (reader.TryRead(out var delivery))
        {
            read += delivery.Message.Bytes.Length;
        }

        Say(read.ToString(CultureInfo.InvariantCulture));
        Say(Refusal(() => queue.OpenProducer().Dispose()));
        Say(Refusal(() => queue.OpenConsumer<RawMessage>("other").Dispose()));
        Say(Refusal(() => MessageQueue.Open(arguments[0]).Dispose()));
        Say(Refusal(() => MessageQueue.Delete(arguments[0])));
    }

    /// <summary>Publishes so many messages to a queue of the group daemon. When it is told to, reads all that are there, publishes more, and says how many it read.</summary>
    public static void ShareQueue(string[] arguments)
    {
        try
        {
            using var queue = MessageQueue.Open(
                arguments[0], new() { Mode = Enum.Parse<QueueMode>(arguments[1]), SegmentBytes = Parts.SegmentBytes, FileGroup = "daemon" });
            using var consumer = queue.OpenConsumer<RawMessage>(arguments[2]);
            using var producer = queue.OpenProducer();
            PublishFillers(producer, int.Parse(arguments[2], CultureInfo.InvariantCulture));
            Say("published");
            Console.In.ReadLine();
            var read = 0;
            while (consumer.TryRead(out var delivery))
            {
                delivery.Commit();
                read++;
            }

            PublishFillers(producer, OthersFillers);
            Say(read.ToString(CultureInfo.InvariantCulture));
            Console.In.ReadLine();
        }
        catch (UnauthorizedAccessException exception)
        {
            Say(exception.GetType().Name);
        }
    }

    /// <summary>Creates a queue for a group, and says why not.</summary>
    public static void OpenForGroup(string[] arguments)
    {
        try
        {
            MessageQueue.Open(arguments[0], new() { FileGroup = arguments[1] }).Dispose();
            Say("allowed");
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or ArgumentException)
        {
            Say(exception.GetType().Name);
        }
    }

    private static void PublishFillers(MessageProducer producer, int count)
    {
        for (var i = 0; i < count; i++)
        {
            producer.Publish(new byte[Parts.FillerBytes]);
        }
    }

    private static async Task HoldAcrossAwaitsAsync(string[] arguments)
    {
        using var queue = MessageQueue.OpenExisting(arguments[0]);
        using var consumer = queue.OpenConsumer<RawMessage>(Name, new() { Shared = bool.Parse(arguments[2]) });
        await foreach (var delivery in consumer.ReadAllAsync())
        {
            var number = NumberedMessage.Read(delivery.Message.Bytes).Number;
            await File.AppendAllTextAsync(arguments[1], $"{number} {(delivery.IsRedelivery ? "again" : "new")}\n");
            if (number % Period == HeldRest && !delivery.IsRedelivery)
            {
                Say("holding");
                await Task.Delay(Timeout.InfiniteTimeSpan);
            }

            delivery.Commit();
        }
    }

    private static string Refusal(Action action)
    {
        try
        {
            action();
            return "allowed";
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or IOException)
        {
            return exception.GetType().Name;
        }
    }

    private static void Say(string line) => Console.Out.WriteLine(line);
}
