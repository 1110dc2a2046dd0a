using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Entries go to a Redis stream and come back.</summary>
[Collection(RedisTestGroup.Name)]
public sealed class RedisStreamTests(RedisServer server)
{
    private readonly string _key = RedisServer.NewKey();

    [RedisFact]
    public async Task Runs_come_back_with_the_same_bytes_in_order()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        var runs = Enumerable.Range(1, 50).Select(i => chain.Next(i, 100 * i)).ToArray();
        await stream.StoreAsync(runs);

        await using var reader = await stream.OpenReaderAsync(StreamStart.First, default);
        foreach (var run in runs)
        {
            StreamCalls.AssertSame(run, await reader.ReadRunAsync());
        }
    }
}
