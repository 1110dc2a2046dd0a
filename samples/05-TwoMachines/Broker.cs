using BufferedMessages.Bridges;

namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The broker between the machines.</summary>
internal static class Broker
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    /// <summary>Opens the stream of the sample. Each folder of machines has one of its own, since its queues do.</summary>
    public static IMessageStream OpenStream(TwoMachinesOptions options)
    {
        var name = StreamOf(options.Machines);
        var address = new Uri(options.Broker);
        return address.Scheme == "redis"
            ? new RedisMessageStream($"{address.Host}:{(address.Port > 0 ? address.Port : 6379)}", name)
            : new RabbitMqMessageStream(address, name);
    }

    /// <summary>Connects once, so that a missing broker is said at once and not tried for ever.</summary>
    /// <exception cref="IOException">The broker cannot be reached.</exception>
    public static async Task RequireAsync(IMessageStream stream)
    {
        using var limit = new CancellationTokenSource(Limit);
        await using var writer = await stream.OpenWriterAsync(limit.Token);
    }

    // The name is kept in the folder, not derived from its path: a folder that was deleted and made anew must not get the messages of the old one, which the broker still has.
    private static string StreamOf(string machines)
    {
        var file = Path.Combine(machines, "stream");
        if (!File.Exists(file))
        {
            Directory.CreateDirectory(machines);
            var unfinished = file + ".new";
            File.WriteAllText(unfinished, $"two-machines-{Guid.NewGuid():N}");
            File.Move(unfinished, file, overwrite: true);
        }

        return File.ReadAllText(file);
    }
}
