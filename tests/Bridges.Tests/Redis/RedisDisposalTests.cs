using BufferedMessages.Bridges.Torture;
using StackExchange.Redis;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Closing ends each call that waits.</summary>
[Collection(RedisTestGroup.Name)]
public sealed class RedisDisposalTests(RedisServer server)
{
    private readonly string _key = RedisServer.NewKey();

    [RedisFact]
    public async Task Closing_a_reader_ends_its_read()
    {
        await using var stream = server.Stream(_key);
        var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var reading = reader.ReadAsync();
        await reader.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading);
    }

    [RedisFact]
    public async Task Closing_a_writer_ends_its_wait()
    {
        await using var stream = server.Stream(_key);
        var writer = await stream.OpenWriterAsync(default);
        var waiting = writer.WaitForAsync(1);
        await writer.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await writer.WriteAsync(RunChain.New().Next(), default));
    }

    [RedisFact]
    public async Task A_wait_for_a_confirmation_can_be_cancelled()
    {
        await using var stream = server.Stream(_key);
        await using var writer = await stream.OpenWriterAsync(default);
        using var cancellation = new CancellationTokenSource();
        var waiting = writer.WaitForConfirmAsync(0, cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        await writer.StoreAsync(RunChain.New().Next());
    }

    [RedisFact]
    public async Task Searches_for_a_repeated_run_that_are_open_when_their_writer_is_closed_are_not_reported_as_unobserved_tasks()
    {
        var isReported = false;
        TaskScheduler.UnobservedTaskException += Note;
        try
        {
            await CloseDuringSearchAsync();
            for (var i = 0; i < 10; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= Note;
        }

        Assert.False(isReported);

        void Note(object? sender, UnobservedTaskExceptionEventArgs unobserved) =>
            isReported |= unobserved.Exception.InnerExceptions.Any(failure => failure.Message.Contains(_key, StringComparison.Ordinal));
    }

    [RedisFact]
    public async Task Closing_the_stream_closes_its_writers_and_readers()
    {
        var stream = server.Stream(_key);
        var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var writer = await stream.OpenWriterAsync(default);
        var reading = reader.ReadAsync();
        var waiting = writer.WaitForAsync(1);
        await stream.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await stream.OpenWriterAsync(default));
    }

    [RedisFact]
    public async Task Everything_may_be_closed_twice()
    {
        var stream = server.Stream(_key);
        var reader = await stream.OpenReaderAsync(StreamStart.Earliest, default);
        var writer = await stream.OpenWriterAsync(default);
        for (var i = 0; i < 2; i++)
        {
            await reader.DisposeAsync();
            await writer.DisposeAsync();
            await stream.DisposeAsync();
        }

        Assert.Equal(_key, stream.Name);
    }

    [RedisFact]
    public async Task An_attempt_to_connect_can_be_cancelled()
    {
        await using var stream = server.Stream(_key);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await stream.OpenWriterAsync(new CancellationToken(canceled: true)));
    }

    // The server answers nobody, so the searches continue until the connection is closed.
    private async Task CloseDuringSearchAsync()
    {
        await using var paused = await PrivateRedis.StartAsync();
        await using var admin = await ConnectionMultiplexer.ConnectAsync(paused.Endpoint + ",allowAdmin=true");
        await using var stream = new RedisMessageStream(paused.Endpoint, _key);
        var run = RunChain.New().Next();
        await stream.StoreAsync(run);
        var writer = await stream.OpenWriterAsync(default);
        await admin.GetDatabase().ExecuteAsync("CLIENT", "PAUSE", "600000", "ALL");
        for (var i = 0; i < 2; i++)
        {
            using var cancellation = new CancellationTokenSource();
            var writing = writer.WriteAsync(run, cancellation.Token).AsTask();
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        }

        await writer.DisposeAsync();
        paused.Kill();
    }
}
