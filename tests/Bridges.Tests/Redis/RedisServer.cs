using BufferedMessages.Bridges.Torture;
using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The server that the tests share. Each test uses a key of its own.</summary>
public sealed class RedisServer : IAsyncLifetime
{
    private PrivateRedis? _server;
    private ConnectionMultiplexer? _multiplexer;

    public string Endpoint => _server!.Endpoint;

    /// <summary>A connection of the tests, to look at keys and to change them.</summary>
    public IDatabase Database => _multiplexer!.GetDatabase();

    public static string NewKey() => $"test-{Guid.NewGuid():N}";

    /// <summary>Closes the connections of all others.</summary>
    public async Task KillOtherClientsAsync() => await Database.ExecuteAsync("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

    internal RedisMessageStream Stream(string key, RedisMessageStreamOptions? options = null) => new(Endpoint, key, options);

    public async Task InitializeAsync()
    {
        if (PrivateRedis.IsInstalled)
        {
            _server = await PrivateRedis.StartAsync();
            _multiplexer = await ConnectionMultiplexer.ConnectAsync(_server.Endpoint + ",allowAdmin=true");
        }
    }

    public async Task DisposeAsync()
    {
        if (_server is not null)
        {
            await _multiplexer!.DisposeAsync();
            await _server.DisposeAsync();
        }
    }
}

[CollectionDefinition(Name)]
public sealed class RedisTestGroup : ICollectionFixture<RedisServer>
{
    public const string Name = "Redis";
}
