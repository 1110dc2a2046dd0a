using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Entries go to a Redis stream and come back.</summary>
[Collection(RedisTestGroup.Name)]
public sealed class RedisMessageStreamTests(RedisServer server)
{
    private readonly string _key = RedisServer.NewKey();

    [RedisFact]
    public async Task Runs_come_back_with_the_same_bytes_in_order()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        var runs = Enumerable.Range(1, 50).Select(i => chain.Next(i, 100 * i)).ToArray();
        await stream.StoreAsync(runs);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        foreach (var run in runs)
        {
            StreamCalls.AssertSame(run, await reader.ReadRunAsync());
        }
    }

    [RedisFact]
    public async Task The_older_protocol_gives_the_same_entries()
    {
        await using var stream = new RedisMessageStream(server.Endpoint + ",protocol=resp2", _key);
        var runs = RunChain.New().Several(3);
        await stream.StoreAsync(runs);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        foreach (var run in runs)
        {
            StreamCalls.AssertSame(run, await reader.ReadRunAsync());
        }
    }

    [RedisFact]
    public async Task A_reader_that_waits_gets_the_next_entry()
    {
        await using var stream = server.Stream(_key);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var reading = reader.ReadAsync();
        var run = RunChain.New().Next();
        await stream.StoreAsync(run);
        Assert.Equal(run.Body.ToArray(), (await reading).Body.ToArray());
    }

    [RedisFact]
    public async Task A_read_that_was_cancelled_loses_no_entry()
    {
        await using var stream = server.Stream(_key);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        using var cancellation = new CancellationTokenSource();
        var reading = reader.ReadAsync(cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);

        var run = RunChain.New().Next();
        await stream.StoreAsync(run);
        StreamCalls.AssertSame(run, await reader.ReadRunAsync());
    }

    [RedisFact]
    public async Task A_reader_from_the_end_gets_only_later_entries()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        await stream.StoreAsync(chain.Several(3));
        await using var reader = await stream.OpenReaderAsync(StreamStart.Latest, default);
        var later = chain.Next();
        await stream.StoreAsync(later);
        StreamCalls.AssertSame(later, await reader.ReadRunAsync());
    }

    [RedisFact]
    public async Task A_reader_from_an_offset_begins_with_its_entry()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(3);
        await stream.StoreAsync(runs);
        await using var first = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        await first.ReadAsync();
        var second = await first.ReadAsync();

        await using var reader = await stream.OpenReaderAsync(StreamStart.At(second.Offset), default);
        StreamCalls.AssertSame(runs[1], await reader.ReadRunAsync());
    }

    [RedisFact]
    public async Task A_reader_from_an_offset_without_a_second_part_begins_with_its_entry()
    {
        await using var stream = server.Stream(_key);
        await server.Database.StreamAddAsync(_key, "name", "before", "5-7");
        await server.Database.StreamAddAsync(_key, "name", "at", "6-0");
        await using var reader = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(6)), default);
        Assert.Equal(new StreamOffset(6), (await reader.ReadAsync()).Offset);
    }

    [RedisFact]
    public async Task A_reader_from_a_trimmed_offset_begins_with_the_first_entry_that_is_left()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(5);
        await stream.StoreAsync(runs);
        await using var before = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var first = await before.ReadAsync();
        await server.Database.StreamTrimAsync(_key, 2);

        await using var reader = await stream.OpenReaderAsync(StreamStart.At(first.Offset), default);
        var entry = await reader.ReadAsync();
        Assert.Equal(runs[3].Body.ToArray(), entry.Body.ToArray());
        Assert.True(entry.Offset > first.Offset);
    }

    [RedisFact]
    public async Task A_stream_with_a_length_forgets_its_oldest_entries()
    {
        await using var stream = server.Stream(_key, new() { MaxLength = 10 });
        await stream.StoreAsync(RunChain.New().Several(500));
        Assert.InRange(await server.Database.StreamLengthAsync(_key), 10, 400);
    }

    [RedisFact]
    public async Task A_time_is_refused_as_a_start()
    {
        await using var stream = server.Stream(_key);
        var failure = await Assert.ThrowsAsync<NotSupportedException>(async () => await stream.OpenReaderAsync(StreamStart.At(DateTimeOffset.UtcNow), default));
        Assert.Contains("StreamStart.Earliest", failure.Message, StringComparison.Ordinal);
    }

    [RedisFact]
    public async Task An_entry_of_another_program_has_no_header()
    {
        await using var stream = server.Stream(_key);
        await server.Database.StreamAddAsync(_key, "name", "value");
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        Assert.True((await reader.ReadAsync()).Header.IsEmpty);
    }

    [RedisFact]
    public async Task A_writer_goes_on_after_entries_of_another_program()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        await stream.StoreAsync(chain.Next());
        await server.Database.StreamAddAsync(_key, "name", "value");
        var run = chain.Next();
        await stream.StoreAsync(run);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        await reader.ReadAsync();
        await reader.ReadAsync();
        StreamCalls.AssertSame(run, await reader.ReadRunAsync());
    }

    [RedisFact]
    public async Task A_reader_of_a_deleted_stream_goes_on_when_it_is_made_again()
    {
        await using var stream = server.Stream(_key);
        await stream.StoreAsync(RunChain.New().Several(3));
        await using var reader = await stream.OpenReaderAsync(StreamStart.Latest, default);
        var reading = reader.ReadAsync();
        await server.Database.KeyDeleteAsync(_key);

        var run = RunChain.New().Next();
        await stream.StoreAsync(run);
        Assert.Equal(run.Body.ToArray(), (await reading).Body.ToArray());
    }

    [RedisFact]
    public async Task A_body_of_several_megabytes_goes_there_and_back()
    {
        await using var stream = server.Stream(_key, new() { ReadBytes = 1 });
        var chain = RunChain.New();
        MessageRun[] runs = [chain.Next(1, 5_000_000), chain.Next(1, 5_000_000), chain.Next()];
        await stream.StoreAsync(runs);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        foreach (var run in runs)
        {
            StreamCalls.AssertSame(run, await reader.ReadRunAsync());
        }
    }
}
