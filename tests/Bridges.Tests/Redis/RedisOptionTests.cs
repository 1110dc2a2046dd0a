using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Options that cannot work are refused before anything connects.</summary>
public sealed class RedisOptionTests
{
    [Fact]
    public void A_configuration_without_a_server_is_refused() =>
        Assert.Throws<ArgumentException>(() => new RedisMessageStream(new ConfigurationOptions(), "name"));

    [Fact]
    public void An_empty_name_is_refused() => Assert.Throws<ArgumentException>(() => new RedisMessageStream("127.0.0.1", ""));

    [Fact]
    public void Options_out_of_their_range_are_refused()
    {
        RedisMessageStreamOptions[] wrong =
        [
            new() { MaxLength = 0 }, new() { WaitForReplicas = -1 }, new() { ReplicaTimeout = TimeSpan.Zero }, new() { ReadCount = 0 }, new() { ReadBytes = 0 }, new() { MaxBodyBytes = 0 },
            new() { MaxBodyBytes = (512 * 1024 * 1024) + 1 }, new() { ReplicaTimeout = TimeSpan.FromHours(1) + TimeSpan.FromTicks(1) }, new() { ReplicaTimeout = TimeSpan.FromTicks(9_999) },
        ];
        Assert.All(wrong, options => Assert.Throws<ArgumentOutOfRangeException>(() => new RedisMessageStream("127.0.0.1", "name", options)));
    }

    [Fact]
    public void The_ends_of_the_ranges_are_accepted()
    {
        RedisMessageStreamOptions[] right =
        [
            new() { MaxLength = 1, WaitForReplicas = 0, ReplicaTimeout = TimeSpan.FromMilliseconds(1), ReadCount = 1, ReadBytes = 1, MaxBodyBytes = 1 },
            new() { ReplicaTimeout = TimeSpan.FromHours(1), MaxBodyBytes = 512 * 1024 * 1024 },
        ];
        Assert.All(right, options => Assert.Equal(options.MaxBodyBytes, new RedisMessageStream("127.0.0.1", "name", options).MaxBodyBytes));
    }

    [Fact]
    public async Task A_stream_tells_its_name_and_its_system()
    {
        await using var stream = new RedisMessageStream("127.0.0.1", "orders", new() { MaxBodyBytes = 1000 });
        Assert.Equal(("orders", "redis", 1000), (stream.Name, stream.System, stream.MaxBodyBytes));
    }
}
