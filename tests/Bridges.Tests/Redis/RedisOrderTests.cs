using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Repeats are stored once, and no run is missing before a confirmed one.</summary>
[Collection(RedisTestGroup.Name)]
public sealed class RedisOrderTests(RedisServer server)
{
    private readonly string _key = RedisServer.NewKey();

    [RedisFact]
    public async Task A_run_that_is_in_the_stream_is_confirmed_and_not_sent()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(40);
        await stream.StoreAsync(runs);
        await stream.StoreAsync(runs);
        Assert.Equal(40, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_run_that_the_server_refuses_as_a_repeat_is_confirmed()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(3);
        await stream.StoreAsync(runs[0]);
        await using var late = await stream.OpenWriterAsync(default);
        await stream.StoreAsync(runs);

        await late.StoreAsync(runs[1..]);
        Assert.Equal(3, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_run_that_is_missing_before_the_last_one_is_sent_under_a_new_generation()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(3);
        await stream.StoreAsync(runs);
        var entries = await server.Database.StreamRangeAsync(_key);
        await server.Database.StreamDeleteAsync(_key, [entries[1].Id]);

        await stream.StoreAsync(runs[1..]);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        foreach (var run in (MessageRun[])[runs[0], runs[2], runs[1], runs[2]])
        {
            StreamCalls.AssertSame(run, await reader.ReadRunAsync());
        }
    }

    [RedisFact]
    public async Task A_writer_goes_on_in_the_same_generation()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        await stream.StoreAsync(chain.Next());
        await stream.StoreAsync(chain.Next());
        Assert.Single((await OffsetsAsync()).Select(offset => offset.Major).Distinct());
    }

    [RedisFact]
    public async Task A_queue_that_was_made_anew_goes_on_under_a_new_generation()
    {
        await using var stream = server.Stream(_key);
        await stream.StoreAsync(RunChain.New().Several(3));
        await stream.StoreAsync(RunChain.New().Next());
        var offsets = await OffsetsAsync();
        Assert.Equal(4, offsets.Length);
        Assert.True(offsets[3].Major > offsets[2].Major);
    }

    [RedisFact]
    public async Task A_higher_epoch_goes_on_under_a_new_generation()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        await stream.StoreAsync(chain.Several(3));
        await stream.StoreAsync(new RunChain(chain.Queue, epoch: 1, fromEpoch: 0, position: 32).Next());
        var offsets = await OffsetsAsync();
        Assert.Equal(4, offsets.Length);
        Assert.True(offsets[3].Major > offsets[2].Major);
    }

    [RedisFact]
    public async Task A_stream_whose_last_entries_were_deleted_goes_on()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(3);
        await stream.StoreAsync(runs);
        var entries = await server.Database.StreamRangeAsync(_key);
        await server.Database.StreamDeleteAsync(_key, [.. entries.Select(entry => entry.Id)]);

        await stream.StoreAsync(runs[2]);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        StreamCalls.AssertSame(runs[2], await reader.ReadRunAsync());
    }

    [RedisFact]
    public async Task Runs_without_messages_have_ids_of_their_own()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        MessageRun[] runs = [chain.Schema(), chain.Next(), chain.Schema(), chain.Schema(), chain.Next()];
        await stream.StoreAsync(runs);
        await stream.StoreAsync(chain.Schema());
        Assert.Equal(6, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task More_schemas_than_a_position_has_ids_for_leave_room_for_messages()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        var schemas = Enumerable.Range(0, 100).Select(_ => chain.Schema()).ToArray();
        MessageRun[] runs = [chain.Next(), .. schemas, .. chain.Several(10)];
        await stream.StoreAsync(runs);
        Assert.Equal(runs.Length, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_session_that_repeats_a_schema_and_its_runs_adds_the_schema_alone()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        MessageRun[] runs = [chain.Schema(), .. chain.Several(20)];
        await stream.StoreAsync(runs);
        await stream.StoreAsync(runs);
        Assert.Equal(runs.Length + 1, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_writer_that_another_queue_has_overtaken_fails_and_goes_on_when_it_is_opened_again()
    {
        await using var stream = server.Stream(_key);
        var chain = RunChain.New();
        await using var first = await stream.OpenWriterAsync(default);
        await first.StoreAsync(chain.Next());
        await stream.StoreAsync(RunChain.New().Next());

        var run = chain.Next();
        await Assert.ThrowsAsync<IOException>(() => first.StoreAsync(run));
        await Assert.ThrowsAsync<IOException>(async () => await first.WriteAsync(run, default));
        await stream.StoreAsync(run);
        Assert.Equal(3, await server.Database.StreamLengthAsync(_key));
    }

    [RedisFact]
    public async Task A_lost_connection_leaves_no_hole_before_a_confirmed_run()
    {
        await using var stream = server.Stream(_key);
        var runs = RunChain.New().Several(3_000);
        var confirmed = 0;
        for (var session = 0; confirmed < runs.Length; session++)
        {
            await using var writer = await stream.OpenWriterAsync(default);
            var killing = Task.CompletedTask;
            try
            {
                foreach (var run in runs[confirmed..])
                {
                    await writer.WriteAllAsync(run);
                    killing = session < 5 && run.To == runs[confirmed + 100].To ? server.KillOtherClientsAsync() : killing;
                }

                await writer.WaitForAsync(runs.Length - confirmed);
            }
            catch (IOException)
            {
                Assert.InRange(session, 0, 4);
            }

            await killing;
            confirmed += (int)writer.Confirmed;
        }

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var chains = new SourceChains { IsMidway = true };
        while (!chains.Places.Values.Contains(new ChainPlace(0, runs[^1].To)))
        {
            var run = await reader.ReadRunAsync();
            if (chains.Judge(run) is RunJudgment.Continues or RunJudgment.ContinuesAfterDeletion)
            {
                chains.Reach(run.QueueId, new ChainPlace(run.Epoch, run.To));
            }
        }
    }

    private async Task<StreamOffset[]> OffsetsAsync()
    {
        var entries = await server.Database.StreamRangeAsync(_key);
        return [.. entries.Select(entry => EntryId.Parse(entry.Id))];
    }
}
