using System.Net;
using System.Net.Sockets;
using RabbitMQ.Client;
using static BufferedMessages.Bridges.Tests.StreamRuns;

namespace BufferedMessages.Bridges.Tests;

[Collection(RabbitMqBroker.Collection)]
public sealed class RabbitMqFailureTests(RabbitMqBroker fixture)
{
    [RabbitMqFact]
    public async Task A_killed_broker_ends_sessions_with_an_IOException_leaves_entries_that_were_read_and_new_sessions_go_on()
    {
        await using var large = fixture.NewStream();
        await large.AppendAsync(0, 100, 10_000);
        await using var readerOfLarge = await large.OpenReaderAsync(StreamStart.Earliest, Deadline);
        var entry = await readerOfLarge.ReadAsync(Deadline);
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        await writer.WriteAllAsync(0, 10);
        for (var number = 0; number < 10; number++)
        {
            await reader.ReadAsync(Deadline);
        }

        var read = reader.ReadAsync(Deadline);
        var wait = writer.WaitForConfirmAsync(10, Deadline);
        fixture.Broker.Kill();

        await Assert.ThrowsAsync<IOException>(async () => await read);
        await Assert.ThrowsAsync<IOException>(async () => await wait);
        await Assert.ThrowsAsync<IOException>(async () => await reader.ReadAsync(Deadline));
        await Assert.ThrowsAsync<IOException>(async () => await writer.WriteAsync(Run(10), Deadline));
        await Assert.ThrowsAsync<IOException>(async () => await stream.OpenWriterAsync(Deadline));
        await Assert.ThrowsAsync<IOException>(async () => await stream.OpenReaderAsync(StreamStart.Earliest, Deadline));
        await fixture.Broker.StartAgainAsync();
        Assert.Equal(Body(0, 10_000), entry.Body);
        await Assert.ThrowsAsync<IOException>(async () => await readerOfLarge.ReadAsync(Deadline));
        await using var writerAgain = await UntilReadyAsync(stream.OpenWriterAsync);
        await writerAgain.WriteAllAsync(10, 10);
        await using var readerAgain = await UntilReadyAsync(token => stream.OpenReaderAsync(StreamStart.At(new StreamOffset(5)), token));
        for (var number = 5; number < 20; number++)
        {
            Assert.Equal(number, Number(await readerAgain.ReadAsync(Deadline)));
        }
    }

    [RabbitMqFact]
    public async Task A_broker_that_is_restarted_by_its_operator_keeps_what_it_confirmed()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await writer.WriteAllAsync(0, 100);
        var wait = writer.WaitForConfirmAsync(100, Deadline);

        await fixture.Broker.StopGracefullyAsync();
        await Assert.ThrowsAsync<IOException>(async () => await wait);
        await fixture.Broker.StartAgainAsync();

        await using var reader = await UntilReadyAsync(token => stream.OpenReaderAsync(StreamStart.Earliest, token));
        for (var number = 0; number < 100; number++)
        {
            Assert.Equal(number, Number(await reader.ReadAsync(Deadline)));
        }
    }

    [RabbitMqFact]
    public async Task A_wrong_password_is_an_UnauthorizedAccessException()
    {
        var factory = fixture.Broker.Factory();
        factory.Password = "wrong";
        await using var stream = new RabbitMqMessageStream(factory, "any");

        await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await stream.OpenWriterAsync(Deadline));
        await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await stream.OpenReaderAsync(StreamStart.Earliest, Deadline));
    }

    [RabbitMqFact]
    public async Task Users_with_the_permissions_of_the_page_write_and_read()
    {
        await using var stream = fixture.NewStream();
        await using var writing = await OfUserAsync(stream.Name, "writer", stream.Name, "amq\\.default", "");
        await using var reading = await OfUserAsync(stream.Name, "reader", "", "", stream.Name);

        await writing.AppendAsync(0, 1);
        await writing.AppendAsync(1, 1);
        await using var reader = await reading.OpenReaderAsync(StreamStart.Earliest, Deadline);
        Assert.Equal(0, Number(await reader.ReadAsync(Deadline)));
        Assert.Equal(1, Number(await reader.ReadAsync(Deadline)));
        await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await reading.OpenWriterAsync(Deadline));
        await Assert.ThrowsAsync<UnauthorizedAccessException>(async () => await writing.OpenReaderAsync(StreamStart.Earliest, Deadline));
    }

    [RabbitMqFact]
    public async Task A_user_with_all_permissions_for_the_stream_alone_cannot_write_and_the_failure_names_the_exchange()
    {
        await using var stream = fixture.NewStream();
        await using var writing = await OfUserAsync(stream.Name, "writer", stream.Name, stream.Name, stream.Name);

        var refused = await Assert.ThrowsAsync<UnauthorizedAccessException>(() => writing.AppendAsync(0, 1));

        Assert.Contains("write for the exchange amq.default", refused.Message, StringComparison.Ordinal);
    }

    [RabbitMqFact]
    public async Task An_entry_that_is_held_for_longer_than_the_consumer_timeout_ends_the_reading_with_an_IOException_that_names_it()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 2);
        await fixture.Broker.SetConsumerTimeoutAsync(2_000, everyMilliseconds: 100);
        try
        {
            await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
            await reader.ReadAsync(Deadline);
            var closed = new TaskCompletionSource();
            ((RabbitMqReader)reader).Channel!.ChannelShutdownAsync += (_, _) =>
            {
                closed.SetResult();
                return Task.CompletedTask;
            };
            await closed.Task.WaitAsync(Patience);

            var ended = await Assert.ThrowsAsync<IOException>(async () => await reader.ReadAsync(Deadline));
            Assert.Contains("consumer_timeout", ended.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("MaxBodyBytes", ended.Message, StringComparison.Ordinal);
        }
        finally
        {
            await fixture.Broker.SetConsumerTimeoutAsync(1_800_000, everyMilliseconds: 60_000);
        }
    }

    [RabbitMqFact]
    public async Task Another_declaration_is_an_ArgumentException_that_names_the_difference()
    {
        await using var stream = fixture.NewStream(new RabbitMqMessageStreamOptions { MaxLengthBytes = 1_000_000 });
        await stream.AppendAsync(0, 1);
        await using var other = fixture.Again(stream, new RabbitMqMessageStreamOptions { MaxLengthBytes = 2_000_000 });

        var refused = await Assert.ThrowsAsync<ArgumentException>(async () => await other.OpenWriterAsync(Deadline));

        Assert.Contains("x-max-length-bytes", refused.Message, StringComparison.Ordinal);
        Assert.Contains("1000000", refused.Message, StringComparison.Ordinal);
        Assert.Contains("2000000", refused.Message, StringComparison.Ordinal);
    }

    [RabbitMqFact]
    public async Task A_queue_that_is_not_a_stream_is_refused()
    {
        await using var stream = fixture.NewStream();
        await using var connection = await fixture.Broker.Factory().CreateConnectionAsync(Deadline);
        await using var channel = await connection.CreateChannelAsync(cancellationToken: Deadline);
        await channel.QueueDeclareAsync(stream.Name, durable: true, exclusive: false, autoDelete: false, cancellationToken: Deadline);

        await Assert.ThrowsAsync<ArgumentException>(async () => await stream.OpenWriterAsync(Deadline));
        await Assert.ThrowsAsync<ArgumentException>(async () => await stream.OpenReaderAsync(StreamStart.Earliest, Deadline));
    }

    [RabbitMqFact]
    public async Task A_stream_that_does_not_exist_yet_is_an_IOException_of_its_readers()
    {
        await using var stream = fixture.NewStream();

        var missing = await Assert.ThrowsAsync<IOException>(async () => await stream.OpenReaderAsync(StreamStart.Earliest, Deadline));

        Assert.Contains("does not exist", missing.Message, StringComparison.Ordinal);
    }

    [RabbitMqFact]
    public async Task A_run_for_a_deleted_stream_is_refused_and_not_confirmed()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await writer.WriteAllAsync(0, 3);
        await DeleteAsync(stream);

        await writer.WriteAsync(Run(3), Deadline);

        await Assert.ThrowsAsync<RunRefusedException>(async () => await writer.WaitForConfirmAsync(3, Deadline));
        await Assert.ThrowsAsync<RunRefusedException>(async () => await writer.WriteAsync(Run(4), Deadline));
        Assert.Equal(3, writer.Confirmed);
    }

    [RabbitMqFact]
    public async Task A_broker_without_room_on_its_disk_refuses_a_run_and_says_why()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await writer.WriteAllAsync(0, 1);
        await fixture.Broker.SetDiskFreeLimitAsync("1000000GB");
        try
        {
            var refused = await Assert.ThrowsAsync<RunRefusedException>(() => writer.WriteAllAsync(1, 1));
            Assert.Contains("low on disk", refused.Message, StringComparison.Ordinal);
            Assert.Equal(1, writer.Confirmed);
        }
        finally
        {
            await fixture.Broker.SetDiskFreeLimitAsync("1MB");
        }

        await stream.AppendAsync(1, 1);
    }

    [RabbitMqFact]
    public async Task A_broker_without_memory_refuses_a_run_and_takes_it_when_its_limit_is_raised()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await writer.WriteAllAsync(0, 1);
        await fixture.Broker.SetMemoryLimitAsync("0");
        try
        {
            var refused = await Assert.ThrowsAsync<RunRefusedException>(() => writer.WriteAllAsync(1, 1));
            Assert.Contains("low on memory", refused.Message, StringComparison.Ordinal);
            Assert.Contains("vm_memory_high_watermark", refused.Message, StringComparison.Ordinal);
            Assert.Equal(1, writer.Confirmed);
        }
        finally
        {
            await fixture.Broker.SetMemoryLimitAsync("0.4");
        }

        await stream.AppendAsync(1, 1);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        Assert.Equal(0, Number(await reader.ReadAsync(Deadline)));
        Assert.Equal(1, Number(await reader.ReadAsync(Deadline)));
    }

    [RabbitMqFact]
    public async Task A_run_above_the_limit_of_the_broker_is_refused_and_the_setting_is_named()
    {
        await fixture.Broker.SetMaxMessageSizeAsync(100_000);
        try
        {
            await using var stream = fixture.NewStream();
            await using var writer = await stream.OpenWriterAsync(Deadline);
            await writer.WriteAllAsync(0, 1, 50_000);

            var refused = await Assert.ThrowsAsync<RunRefusedException>(() => writer.WriteAllAsync(1, 1, 200_000));
            Assert.Contains("max_message_size", refused.Message, StringComparison.Ordinal);
            Assert.Equal(1, writer.Confirmed);
        }
        finally
        {
            await fixture.Broker.SetMaxMessageSizeAsync(134_217_728);
        }
    }

    [RabbitMqFact]
    public async Task A_reader_of_a_deleted_stream_ends_with_an_IOException()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 1);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        await reader.ReadAsync(Deadline);
        var read = reader.ReadAsync(Deadline);

        await DeleteAsync(stream);

        var ended = await Assert.ThrowsAsync<IOException>(async () => await read);
        Assert.Contains("deleted", ended.Message, StringComparison.Ordinal);
    }

    [RabbitMqFact]
    public async Task Disposing_ends_a_read_and_a_wait_and_twice_is_safe()
    {
        await using var stream = fixture.NewStream();
        var writer = await stream.OpenWriterAsync(Deadline);
        var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        var wait = writer.WaitForConfirmAsync(0, Deadline);
        var read = reader.ReadAsync(Deadline);

        await Task.WhenAll(writer.DisposeAsync().AsTask(), reader.DisposeAsync().AsTask());

        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await wait);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await read);
        await writer.DisposeAsync();
        await reader.DisposeAsync();
        await stream.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await stream.OpenWriterAsync(Deadline));
    }

    [RabbitMqFact]
    public async Task A_reader_can_be_disposed_where_its_read_continues()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 1);
        await using var reader = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(1)), Deadline);
        var ended = Task.Run(async () =>
        {
            // The continuation runs on the client's thread, which the disposal waits for.
            await reader.ReadAsync(Deadline).ConfigureAwait(false);
            await reader.DisposeAsync().ConfigureAwait(false);
        });
        await stream.AppendAsync(1, 10);

        await ended.WaitAsync(Patience);
    }

    [RabbitMqFact]
    public async Task A_broker_that_does_not_answer_does_not_hold_a_disposal()
    {
        await using var stream = fixture.NewStream();
        var writer = await stream.OpenWriterAsync(Deadline);
        var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        await writer.WriteAllAsync(0, 1);
        await reader.ReadAsync(Deadline);

        // The client alone would wait for 25 seconds.
        await fixture.Broker.FreezeAsync();
        try
        {
            await Task.WhenAll(writer.DisposeAsync().AsTask(), reader.DisposeAsync().AsTask()).WaitAsync(TimeSpan.FromSeconds(20));
        }
        finally
        {
            await fixture.Broker.ThawAsync();
        }
    }

    [Fact]
    public async Task A_broker_that_accepts_and_does_not_answer_is_an_IOException()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var factory = new ConnectionFactory
        {
            HostName = "127.0.0.1",
            Port = ((IPEndPoint)silent.LocalEndpoint).Port,
            RequestedConnectionTimeout = TimeSpan.FromSeconds(1),
            HandshakeContinuationTimeout = TimeSpan.FromMilliseconds(100),
        };
        await using var stream = new RabbitMqMessageStream(factory, "any");

        var unanswered = await Assert.ThrowsAsync<IOException>(async () => await stream.OpenWriterAsync(Deadline));

        Assert.Contains("did not answer", unanswered.Message, StringComparison.Ordinal);
    }

    [RabbitMqFact]
    public async Task Opening_can_be_cancelled()
    {
        await using var stream = fixture.NewStream();
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await stream.OpenWriterAsync(cancelled.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await stream.OpenReaderAsync(StreamStart.Earliest, cancelled.Token));
    }

    /// <summary>The stream of a user with the given permissions.</summary>
    private async Task<RabbitMqMessageStream> OfUserAsync(string stream, string role, string configure, string write, string read)
    {
        var user = $"{stream}-{role}";
        await fixture.Broker.AddUserAsync(user, configure, write, read);
        var factory = fixture.Broker.Factory();
        (factory.UserName, factory.Password) = (user, user);
        return new RabbitMqMessageStream(factory, stream);
    }

    private async Task DeleteAsync(RabbitMqMessageStream stream)
    {
        await using var connection = await fixture.Broker.Factory().CreateConnectionAsync(Deadline);
        await using var channel = await connection.CreateChannelAsync(cancellationToken: Deadline);
        await channel.QueueDeleteAsync(stream.Name, cancellationToken: Deadline);
    }
}
