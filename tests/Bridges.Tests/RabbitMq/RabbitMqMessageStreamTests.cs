using RabbitMQ.Client;
using static BufferedMessages.Bridges.Tests.StreamRuns;

namespace BufferedMessages.Bridges.Tests;

[Collection(RabbitMqBroker.Collection)]
public sealed class RabbitMqMessageStreamTests(RabbitMqBroker fixture)
{
    [RabbitMqFact]
    public async Task Runs_come_back_in_order_with_the_same_header_and_body()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 1_000);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        for (var number = 0; number < 1_000; number++)
        {
            var entry = await reader.ReadAsync(Deadline);
            Assert.Equal(new StreamOffset((ulong)number), entry.Offset);
            Assert.Equal(Run(number).Header, entry.Header);
            Assert.Equal(Body(number), entry.Body);
        }
    }

    [RabbitMqTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(131_064)]
    [InlineData(4_000_000)]
    public async Task A_body_of_any_size_comes_back(int bytes)
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(7, 1, bytes);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        Assert.Equal(Body(7, bytes), (await reader.ReadAsync(Deadline)).Body);
    }

    [RabbitMqFact]
    public async Task A_header_of_any_length_comes_back()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        var headers = new[] { 72, 500, 72, 100_000, 80 }.Select(bytes => Run(3).Header.ToArray().Concat(Body(bytes, bytes - 72)).ToArray()).ToArray();
        foreach (var header in headers)
        {
            await writer.WriteAsync(new MessageRun(header, Body(1)), Deadline);
        }

        await writer.WaitForAsync(headers.Length);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        foreach (var header in headers)
        {
            Assert.Equal(header, (await reader.ReadAsync(Deadline)).Header);
        }
    }

    [RabbitMqFact]
    public async Task A_header_that_does_not_fit_into_a_frame_is_refused()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);

        var refused = await Assert.ThrowsAsync<RunRefusedException>(async () => await writer.WriteAsync(new MessageRun(new byte[131_072], Body(1)), Deadline));

        Assert.Contains("131072", refused.Message, StringComparison.Ordinal);
    }

    [RabbitMqFact]
    public async Task A_body_above_the_limit_is_refused()
    {
        await using var stream = fixture.NewStream(new RabbitMqMessageStreamOptions { MaxBodyBytes = 100 });
        await using var writer = await stream.OpenWriterAsync(Deadline);

        await Assert.ThrowsAsync<RunRefusedException>(async () => await writer.WriteAsync(Run(1, 101), Deadline));
    }

    [RabbitMqFact]
    public async Task The_confirmed_number_counts_every_run()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        await writer.WriteAllAsync(0, 500);

        Assert.Equal(500, writer.Confirmed);
    }

    [RabbitMqFact]
    public async Task A_wait_for_a_confirm_can_be_cancelled_and_repeated()
    {
        await using var stream = fixture.NewStream();
        await using var writer = await stream.OpenWriterAsync(Deadline);
        using var cancellation = new CancellationTokenSource();

        var wait = writer.WaitForConfirmAsync(0, cancellation.Token);
        await cancellation.CancelAsync();

        await Assert.ThrowsAsync<OperationCanceledException>(async () => await wait);
        await writer.WriteAllAsync(0, 1);
    }

    [RabbitMqFact]
    public async Task A_body_stays_in_place_until_the_next_read()
    {
        await using var stream = fixture.NewStream(new RabbitMqMessageStreamOptions { PrefetchCount = 16 });
        await stream.AppendAsync(0, 200, 10_000);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        for (var number = 0; number < 200; number++)
        {
            var entry = await reader.ReadAsync(Deadline);

            // The client receives the next deliveries at the same time.
            await Task.Yield();
            Assert.Equal(Body(number, 10_000), entry.Body);
        }
    }

    [RabbitMqFact]
    public async Task A_reader_begins_at_the_offset_that_was_asked()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 300);

        foreach (var first in new ulong[] { 0, 1, 150, 299 })
        {
            await using var reader = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(first)), Deadline);
            Assert.Equal(new StreamOffset(first), (await reader.ReadAsync(Deadline)).Offset);
        }
    }

    [RabbitMqFact]
    public async Task A_reader_at_the_offset_after_the_last_entry_gets_the_next_one()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 10);

        await using var reader = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(10)), Deadline);
        await stream.AppendAsync(10, 1);

        Assert.Equal(10, Number(await reader.ReadAsync(Deadline)));
    }

    [RabbitMqFact]
    public async Task A_reader_at_the_end_gets_what_is_appended_later()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 10);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Latest, Deadline);
        await stream.AppendAsync(10, 1);

        Assert.Equal(10, Number(await reader.ReadAsync(Deadline)));
    }

    [RabbitMqFact]
    public async Task A_reader_at_a_time_in_the_past_gets_every_entry_and_at_one_in_the_future_those_that_come()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 10);

        await using var ancient = await stream.OpenReaderAsync(StreamStart.At(DateTimeOffset.MinValue), Deadline);
        await using var past = await stream.OpenReaderAsync(StreamStart.At(DateTimeOffset.UtcNow.AddHours(-1)), Deadline);
        await using var future = await stream.OpenReaderAsync(StreamStart.At(DateTimeOffset.UtcNow.AddHours(1)), Deadline);
        await stream.AppendAsync(10, 1);

        Assert.Equal(0, Number(await ancient.ReadAsync(Deadline)));
        Assert.Equal(0, Number(await past.ReadAsync(Deadline)));
        Assert.Equal(10, Number(await future.ReadAsync(Deadline)));
    }

    [RabbitMqFact]
    public async Task A_read_that_waits_can_be_cancelled_and_loses_no_entry()
    {
        await using var stream = fixture.NewStream();
        await stream.AppendAsync(0, 1);
        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        await reader.ReadAsync(Deadline);
        using var cancellation = new CancellationTokenSource();

        var read = reader.ReadAsync(cancellation.Token);
        await cancellation.CancelAsync();
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await read);
        await stream.AppendAsync(1, 2);

        Assert.Equal(1, Number(await reader.ReadAsync(Deadline)));
        Assert.Equal(2, Number(await reader.ReadAsync(Deadline)));
    }

    [RabbitMqFact]
    public async Task A_message_of_another_program_has_an_empty_header()
    {
        await using var stream = fixture.NewStream();
        await using (await stream.OpenWriterAsync(Deadline))
        {
            await using var connection = await fixture.Broker.Factory().CreateConnectionAsync(Deadline);
            await using var channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true), Deadline);
            await channel.BasicPublishAsync("", stream.Name, Body(5), Deadline);
            await channel.BasicPublishAsync("", stream.Name, false, new BasicProperties { Headers = new Dictionary<string, object?> { ["bm-run"] = 17 } }, Body(6), Deadline);
        }

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        var foreign = await reader.ReadAsync(Deadline);
        Assert.True(foreign.Header.IsEmpty);
        Assert.Equal(Body(5), foreign.Body);
        Assert.True((await reader.ReadAsync(Deadline)).Header.IsEmpty);
    }

    [RabbitMqFact]
    public async Task A_reader_of_deleted_entries_begins_at_the_first_one_that_is_left()
    {
        await using var stream = fixture.NewStream(new RabbitMqMessageStreamOptions { MaxLengthBytes = 2_000_000, MaxSegmentBytes = 500_000 });
        await stream.AppendAsync(0, 100, 100_000);
        var first = 0UL;

        // The broker deletes segments when it begins a new one.
        for (var number = 100; first == 0; number += 10)
        {
            await stream.AppendAsync(number, 10, 100_000);
            await using var reader = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(0)), Deadline);
            first = (await reader.ReadAsync(Deadline)).Offset.Major;
            Assert.True(number < 10_000, "Nothing is deleted.");
        }

        await using var again = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(1)), Deadline);
        var entry = await again.ReadAsync(Deadline);
        var firstNumber = Number(entry);
        Assert.True(entry.Offset.Major >= first && firstNumber > 0);

        // Offsets have gaps: the broker counts its own record at the beginning of each segment too.
        Assert.True(entry.Offset.Major > (ulong)firstNumber);
        Assert.Equal(firstNumber + 1, Number(await again.ReadAsync(Deadline)));
    }

    [RabbitMqFact]
    public async Task A_reader_with_a_prefetch_of_one_reads_on()
    {
        await using var stream = fixture.NewStream(new RabbitMqMessageStreamOptions { PrefetchCount = 1 });
        await stream.AppendAsync(0, 50);

        await using var reader = await stream.OpenReaderAsync(StreamStart.At(new StreamOffset(10)), Deadline);
        for (var number = 10; number < 50; number++)
        {
            Assert.Equal(number, Number(await reader.ReadAsync(Deadline)));
        }
    }

    [RabbitMqFact]
    public async Task The_stream_is_created_once_and_opened_from_then_on()
    {
        await using var stream = fixture.NewStream(new RabbitMqMessageStreamOptions { MaxAge = TimeSpan.FromDays(2), MaxLengthBytes = 1_000_000_000, MaxSegmentBytes = 1_000_000, LeaderLocator = "client-local", InitialClusterSize = 1 });
        await stream.AppendAsync(0, 1);
        await stream.AppendAsync(1, 1);

        await using var reader = await stream.OpenReaderAsync(StreamStart.Earliest, Deadline);
        Assert.Equal(0, Number(await reader.ReadAsync(Deadline)));
        Assert.Equal(1, Number(await reader.ReadAsync(Deadline)));
    }
}
