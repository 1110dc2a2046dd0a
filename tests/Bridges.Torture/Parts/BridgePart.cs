using System.Globalization;

namespace BufferedMessages.Bridges.Torture;

/// <summary>The processes of the two bridges. They run until they are killed, or their input ends.</summary>
internal static class BridgePart
{
    public const string Forward = "forward";
    public const string Receive = "receive";
    public const string Stream = "torture";

    private static readonly TimeSpan MaxRetryDelay = TimeSpan.FromMilliseconds(500);

    public static string[] Arguments(string part, string directory, string broker, int seed, PlantedFault fault) =>
        [part, directory, broker, seed.ToString(CultureInfo.InvariantCulture), fault.ToString()];

    /// <summary>Opens the stream at a broker, whose address begins with its product.</summary>
    public static IMessageStream OpenStream(string broker, string name) => broker.Split(' ', 2) switch
    {
        ["rabbitmq", var uri] => new RabbitMqMessageStream(new Uri(uri), name),
        ["redis", var endpoint] => new RedisMessageStream(endpoint, name),
        _ => throw new ArgumentException($"'{broker}' is not the address of a broker."),
    };

    public static async Task<int> RunAsync(string[] args)
    {
        var (part, directory, broker, seed, fault) = (args[0], args[1], args[2], int.Parse(args[3], CultureInfo.InvariantCulture), Enum.Parse<PlantedFault>(args[4]));
        await using var stream = OpenStream(broker, Stream);
        using var queue = MessageQueue.Open(directory);
        var end = Task.Run(Console.In.ReadLine);
        if (part == Forward)
        {
            await using var lossy = new LossyStream(stream, new Random(seed));

            // Messages leave before they are on the disk, so a crash of the machine takes back some that the destination has.
            await using var forwarder = queue.ForwardTo(lossy, new ForwarderOptions { BatchMessages = 64, MaxRetryDelay = MaxRetryDelay, DurableOnly = false });
            await EndAsync(end, forwarder.Completion);
        }
        else
        {
            await using var faulty = new FaultyStream(stream, queue, fault);
            await using var receiver = queue.ReceiveFrom(fault == PlantedFault.None ? stream : faulty, Options(fault));
            await EndAsync(end, receiver.Completion);
        }

        return 0;
    }

    private static ReceiverOptions Options(PlantedFault fault) => new()
    {
        MaxRetryDelay = MaxRetryDelay,
        JournalInterval = fault == PlantedFault.JournalFirst ? TimeSpan.FromHours(1) : TimeSpan.FromMilliseconds(200),
    };

    private static async Task EndAsync(Task end, Task completion)
    {
        if (await Task.WhenAny(end, completion) == completion)
        {
            // An exception that stops the bridge goes to the output of the run.
            await completion;
        }
    }
}
