namespace BufferedMessages.Bridges.Torture;

/// <summary>The brokers of runs.</summary>
internal static class TortureBrokers
{
    public static bool IsInstalled(string broker) => broker == "redis" ? PrivateRedis.IsInstalled : PrivateRabbitMq.IsInstalled;

    /// <summary>The package of Debian that has the server.</summary>
    public static string PackageOf(string broker) => broker == "redis" ? "redis-server" : "rabbitmq-server";

    public static async Task<ITortureBroker> StartAsync(string broker) => broker == "redis"
        ? new Redis(await PrivateRedis.StartAsync())
        : new RabbitMq(await PrivateRabbitMq.StartAsync());

    private sealed class RabbitMq(PrivateRabbitMq server) : ITortureBroker
    {
        public string Address => $"rabbitmq {server.Uri}";

        public void Kill() => server.Kill();

        public Task StopAsync() => server.StopGracefullyAsync();

        public Task StartAgainAsync() => server.StartAgainAsync();

        public ValueTask DisposeAsync() => server.DisposeAsync();
    }

    private sealed class Redis(PrivateRedis server) : ITortureBroker
    {
        public string Address => $"redis {server.Endpoint}";

        public void Kill() => server.Kill();

        public Task StopAsync()
        {
            server.StopGracefully();
            return Task.CompletedTask;
        }

        public Task StartAgainAsync() => server.StartAgain();

        public ValueTask DisposeAsync() => server.DisposeAsync();
    }
}
