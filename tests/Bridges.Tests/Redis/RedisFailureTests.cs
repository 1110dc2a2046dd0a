using BufferedMessages.Bridges.Torture;
using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Each failure has its type, which says whether another attempt is worth it.</summary>
[Collection(RedisTestGroup.Name)]
public sealed class RedisFailureTests(RedisServer server)
{
    private readonly string _key = RedisServer.NewKey();

    [RedisFact]
    public async Task After_the_death_of_the_server_a_new_session_goes_on()
    {
        await using var mortal = await PrivateRedis.StartAsync();
        await using var stream = new RedisMessageStream(mortal.Endpoint, _key);
        var chain = RunChain.New();
        var stored = chain.Next();
        await using var writer = await stream.OpenWriterAsync(default);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        await writer.StoreAsync(stored);
        await reader.ReadAsync();
        var reading = reader.ReadAsync();
        mortal.Kill();

        var lost = chain.Next();
        await Assert.ThrowsAnyAsync<IOException>(() => reading);
        await Assert.ThrowsAnyAsync<IOException>(() => writer.StoreAsync(lost));
        await Assert.ThrowsAnyAsync<IOException>(async () => await stream.OpenWriterAsync(default));

        await mortal.StartAgain();
        await stream.StoreAsync(stored, lost);
        await using var again = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        StreamCalls.AssertSame(stored, await again.ReadRunAsync());
        StreamCalls.AssertSame(lost, await again.ReadRunAsync());
    }

    [RedisFact]
    public async Task A_lost_connection_is_not_made_again_by_itself()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        await using var writer = await stream.OpenWriterAsync(default);
        await writer.StoreAsync(chain.Next());
        await server.KillOtherClientsAsync();
        for (var i = 0; i < 3; i++)
        {
            await Assert.ThrowsAsync<IOException>(() => writer.StoreAsync(chain.Next()));
        }

        Assert.Equal(1, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_reader_waits_also_with_the_longest_timeout_of_the_client()
    {
        var configuration = ConfigurationOptions.Parse(server.Endpoint);
        configuration.AsyncTimeout = int.MaxValue;
        await using var stream = new RedisMessageStream(configuration, _key);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var reading = reader.ReadRunAsync();

        // The client looks at its timeouts once a second.
        Assert.NotSame(reading, await Task.WhenAny(reading, Task.Delay(TimeSpan.FromSeconds(3))));
        var run = RunChain.New().Next();
        await stream.StoreAsync(run);
        StreamCalls.AssertSame(run, await reading);
    }

    [RedisFact]
    public async Task A_server_that_stopped_gracefully_has_its_entries_when_it_starts_again()
    {
        await using var mortal = await PrivateRedis.StartAsync();
        await using var stream = new RedisMessageStream(mortal.Endpoint, _key);
        var run = RunChain.New().Next();
        await stream.StoreAsync(run);
        mortal.StopGracefully();
        await mortal.StartAgain();
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        StreamCalls.AssertSame(run, await reader.ReadRunAsync());
    }

    [RedisFact]
    public async Task A_wrong_password_is_not_a_failure_to_try_again()
    {
        await using var guarded = await PrivateRedis.StartAsync(new(Password: "right"));
        await using var right = new RedisMessageStream(guarded.Endpoint + ",password=right", _key);
        await right.StoreAsync(RunChain.New().Next());

        await using var wrong = new RedisMessageStream(guarded.Endpoint + ",password=wrong", _key);
        await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await wrong.OpenWriterAsync(default));
        await using var none = new RedisMessageStream(guarded.Endpoint, _key);
        await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await none.OpenReaderAsync(StreamStart.Earliest, default));
    }

    [RedisFact]
    public async Task A_user_without_permission_is_not_a_failure_to_try_again()
    {
        await server.Database.ExecuteAsync("ACL", "SETUSER", _key, "on", ">secret", "~*", "+@all", "-xadd");
        await using var stream = new RedisMessageStream($"{server.Endpoint},user={_key},password=secret", _key);
        await Assert.ThrowsAsync<UnauthorizedAccessException>(() => stream.StoreAsync(RunChain.New().Next()));
    }

    [RedisFact]
    public async Task Users_with_the_permissions_of_the_page_write_and_read()
    {
        await server.Database.ExecuteAsync("ACL", "SETUSER", _key, "on", ">secret", $"~{_key}", "-@all", "+@connection", "+xadd", "+xinfo", "+xrevrange", "+xsetid", "+wait");
        await server.Database.ExecuteAsync("ACL", "SETUSER", _key + "-reader", "on", ">secret", $"~{_key}", "-@all", "+@connection", "+xread", "+xinfo");
        await using var stream = new RedisMessageStream($"{server.Endpoint},user={_key},password=secret", _key);
        await using var read = new RedisMessageStream($"{server.Endpoint},user={_key}-reader,password=secret", _key);
        var run = RunChain.New().Next();
        await stream.StoreAsync(run);

        await using var reader = await read.OpenReaderAsync(StreamStart.Earliest, default);
        Assert.Equal(run.Body.ToArray(), (await reader.ReadAsync(default)).Body.ToArray());
    }

    [RedisFact]
    public async Task A_user_without_ECHO_cannot_connect_and_the_failure_says_so()
    {
        await server.Database.ExecuteAsync("ACL", "SETUSER", _key, "on", ">secret", "~*", "+@all", "-echo");
        await using var stream = new RedisMessageStream($"{server.Endpoint},user={_key},password=secret,connectTimeout=1000", _key);

        var failure = await Assert.ThrowsAsync<IOException>(async () => await stream.OpenWriterAsync(default));
        Assert.Contains("ECHO", failure.Message, StringComparison.Ordinal);
    }

    [RedisFact]
    public async Task A_key_of_another_type_is_named()
    {
        await server.Database.StringSetAsync(_key, "text");
        await using var stream = server.Stream(_key);
        var failure = await Assert.ThrowsAsync<ArgumentException>(async () => await stream.OpenWriterAsync(default));
        Assert.Contains(_key, failure.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(async () => await stream.OpenReaderAsync(StreamStart.Earliest, default));
    }

    [RedisFact]
    public async Task A_server_without_memory_refuses_a_run()
    {
        await using var full = await PrivateRedis.StartAsync();
        await using var admin = await ConnectionMultiplexer.ConnectAsync(full.Endpoint + ",allowAdmin=true");
        await using var stream = new RedisMessageStream(full.Endpoint, _key);
        await using var writer = await stream.OpenWriterAsync(default);
        await admin.GetDatabase().ExecuteAsync("CONFIG", "SET", "maxmemory", "1");
        await Assert.ThrowsAsync<RunRefusedException>(() => writer.StoreAsync(RunChain.New().Next()));
    }

    [RedisFact]
    public async Task A_run_above_the_limit_of_the_server_is_an_exception_that_names_the_setting()
    {
        await using var small = await PrivateRedis.StartAsync();
        await using var admin = await ConnectionMultiplexer.ConnectAsync(small.Endpoint + ",allowAdmin=true");
        await admin.GetDatabase().ExecuteAsync("CONFIG", "SET", "proto-max-bulk-len", "1048576");
        await using var stream = new RedisMessageStream(small.Endpoint, _key);
        await using var writer = await stream.OpenWriterAsync(default);
        var chain = RunChain.New();
        await writer.StoreAsync(chain.Next());

        var refused = await Assert.ThrowsAnyAsync<IOException>(() => writer.StoreAsync(chain.Next(payloadBytes: 8_000_000)));
        Assert.Contains("proto-max-bulk-len", refused.Message, StringComparison.Ordinal);
        Assert.Equal(1, writer.Confirmed);
    }

    [RedisFact]
    public async Task A_run_without_the_replicas_asked_for_is_refused()
    {
        await using var stream = server.Stream(_key, new() { WaitForReplicas = 1, ReplicaTimeout = TimeSpan.FromMilliseconds(50) });
        var run = RunChain.New().Next();
        await using var writer = await stream.OpenWriterAsync(default);
        await Assert.ThrowsAsync<RunRefusedException>(() => writer.StoreAsync(run));
        Assert.Equal(0, writer.Confirmed);

        await Assert.ThrowsAsync<RunRefusedException>(() => stream.StoreAsync(run));
        Assert.Equal(1, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_run_that_a_replica_has_is_confirmed()
    {
        await using var primary = await PrivateRedis.StartAsync();
        await using var replica = await PrivateRedis.StartAsync(new(PrimaryPort: primary.Port));
        await using var stream = new RedisMessageStream(primary.Endpoint, _key, new() { WaitForReplicas = 1, ReplicaTimeout = TimeSpan.FromSeconds(30) });
        var runs = RunChain.New().Several(20);
        await stream.StoreAsync(runs);
        await stream.StoreAsync(runs);

        await using var copy = await ConnectionMultiplexer.ConnectAsync(replica.Endpoint);
        Assert.Equal(20, await copy.GetDatabase().StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task An_encrypted_connection_is_verified_by_a_private_authority()
    {
        await using var encrypted = await PrivateRedis.StartAsync(new(Tls: true));
        var options = ConfigurationOptions.Parse(encrypted.Endpoint + ",ssl=true,sslHost=localhost");
        await using var doubting = new RedisMessageStream(options, _key);
        await Assert.ThrowsAsync<IOException>(async () => await doubting.OpenWriterAsync(default));

        options.TrustIssuer(encrypted.AuthorityPath);
        await using var stream = new RedisMessageStream(options, _key);
        await stream.StoreAsync(RunChain.New().Next());
    }
}
