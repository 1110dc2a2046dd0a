using BufferedMessages.Bridges;

namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The broker between the machines.</summary>
internal static class Broker
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    /// <summary>Opens the stream of the sample. Each folder of machines has one of its own, since its queues do.</summary>
    public static IMessageStream OpenStream(TwoMachinesOptions options)
    {
        var name = "two-machines-" + Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(options.Machines)))[..12];
        var address = new Uri(options.Broker);
        return address.Scheme == "redis"
            ? new RedisMessageStream($"{address.Host}:{(address.Port > 0 ? address.Port : 6379)}", name)
            : new RabbitMqMessageStream(address, name);
    }

    /// <summary>Connects once, so that a missing broker is said at once and not tried for ever.</summary>
    /// <exception cref="IOException">The broker cannot be reached.</exception>
    public static async Task RequireAsync(TwoMachinesOptions options)
    {
        using var limit = new CancellationTokenSource(Limit);
        await using var stream = OpenStream(options);
        await using var writer = await stream.OpenWriterAsync(limit.Token);
    }
}
