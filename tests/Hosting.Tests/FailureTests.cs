using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting.Tests;

public sealed class FailureTests : IDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(20);

    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_failed_order_is_tried_again_before_the_next_one(bool isSynchronous)
    {
        var failures = 2;
        _test.Desk.Work = (id, _, _) => id == 2 && Interlocked.Decrement(ref failures) >= 0 ? throw new InvalidOperationException("Not yet.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays) = (true, [Short, Short]), isSynchronous);
        TestHost.Publish(host, 1, 2, 3);

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 3, "three orders");
        Assert.Equal([1L, 2, 2, 2, 3], _test.Desk.Begun);
        await host.StopAsync();
        Assert.Equal((3, 2, 0), (TestHost.ControlOf(host).Handled, TestHost.ControlOf(host).FailedAttempts, TestHost.ControlOf(host).DeadLetters));
        Assert.Equal(2, _test.Log.Of(7).Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_log_that_throws_stops_neither_the_handler_nor_the_host(bool dedicatedThread)
    {
        _test.Log.IsFailing = true;
        _test.Desk.Work = static (id, context, _) => id == 2 || context.Attempt == 1 ? throw new InvalidOperationException("Not yet.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(handler => (handler.DedicatedThread, handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = (dedicatedThread, [Short], 1, Short));
        TestHost.Publish(host, 1, 2, 3);

        await TestHost.UntilAsync(() => TestHost.ControlOf(host) is { Handled: 2, DeadLetters: 1 }, "two orders and a dead letter");
        Assert.NotEmpty(_test.Log.Of(7));
        await host.StopAsync();
        Assert.Equal(MessageHandlerState.Stopped, TestHost.ControlOf(host).State);
    }

    [Fact]
    public async Task Each_attempt_has_its_number_and_a_failure_after_an_await_counts_too()
    {
        var attempts = new List<int>();
        _test.Desk.Work = async (_, context, _) =>
        {
            attempts.Add(context.Attempt);
            await Task.Yield();
            throw new InvalidOperationException("Never.");
        };
        var host = await _test.StartAsync(static handler => handler.RetryDelays = [Short, Short]);
        TestHost.Publish(host, 1);

        await TestHost.UntilAsync(() => TestHost.ControlOf(host).DeadLetters == 1, "the dead letter");
        Assert.Equal([1, 2, 3], attempts);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task A_handler_knows_the_attempt_after_which_none_follows(int retries)
    {
        var last = new List<bool>();
        _test.Desk.Work = (id, context, _) =>
        {
            last.Add(context.IsLastAttempt);
            return id == 1 ? throw new InvalidOperationException("Never.") : ValueTask.CompletedTask;
        };
        var host = await _test.StartAsync(handler => (handler.Ordered, handler.RetryDelays) = (true, [.. Enumerable.Repeat(Short, retries)]));
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        Assert.Equal([.. Enumerable.Repeat(false, retries), true, retries == 0], last);
    }

    [Fact]
    public async Task An_order_that_fails_in_all_attempts_becomes_a_dead_letter_with_its_bytes_and_properties()
    {
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No such customer.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays) = (true, [Short]));
        var trace = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded, traceState: null, isRemote: true);
        var properties = new MessageProperties { TraceContext = trace, CorrelationId = "c-1" };
        properties.Headers["tenant"] = "north";
        var publisher = host.Services.GetRequiredService<MessagePublisher<Order>>();
        var position = publisher.Publish(new Order { Id = 1, Customer = "Grace" }, properties);
        publisher.Publish(new Order { Id = 2 });

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var letter = Assert.Single(letters.List());
        Assert.Equal(("No such customer.", 2, typeof(InvalidOperationException).FullName, position), (letter.Reason, letter.Attempts, letter.ExceptionType, letter.Source!.Value.Position));
        Assert.NotNull(letter.Time);
        Assert.NotNull(letter.PublishedAt);
        Assert.Equal(LogLevel.Error, Assert.Single(_test.Log.Of(8)).Level);

        using var queue = MessageQueue.OpenExisting(letters.Path);
        using var reader = queue.OpenReader<OrderBufferedMessage>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal("Grace", delivery.Message.Customer.ToString());
        Assert.Equal((trace, "c-1"), (delivery.Properties.TraceContext, delivery.Properties.CorrelationId.ToString()));
        Assert.True(delivery.Properties.TryGetHeader("tenant", out var tenant) && tenant == "north");
        Assert.True(delivery.Properties.TryGetHeader("handler", out var handler) && handler == "shipping");
    }

    [Fact]
    public async Task Without_dead_letters_an_order_that_cannot_be_handled_is_lost_and_the_log_says_so()
    {
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No such customer.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.DeadLetters) = (true, [Short], false));
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        Assert.Equal([1L, 1, 2], _test.Desk.Begun);
        var line = Assert.Single(_test.Log.Of(20));
        Assert.Equal((LogLevel.Error, "No such customer."), (line.Level, line.Cause!.Message));
        Assert.Contains("after 2 attempts", line.Text, StringComparison.Ordinal);
        Assert.Equal(0, TestHost.ControlOf(host).DeadLetters);
        Assert.False(Directory.Exists(Path.Combine(_test.Orders, "dead", "shipping")));
    }

    [Fact]
    public async Task A_malformed_message_becomes_a_dead_letter_at_once()
    {
        var host = await _test.StartAsync();
        var queue = host.Services.GetRequiredKeyedService<MessageQueue>("orders");
        using (var producer = queue.OpenProducer(queue.Schemas[0], verify: false))
        {
            producer.Publish("no order"u8);
        }

        TestHost.Publish(host, 2);
        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var letter = Assert.Single(letters.List());
        Assert.Equal((1, typeof(MalformedMessageException).FullName, 8), (letter.Attempts, letter.ExceptionType, letter.Bytes));
        Assert.Equal([2L], _test.Desk.Begun);
    }

    [Theory]
    [InlineData(typeof(SilentException))]
    [InlineData(typeof(UnreadableException))]
    public async Task An_exception_without_a_message_leads_to_a_dead_letter_too(Type type)
    {
        _test.Desk.Work = (id, _, _) => id == 1 ? throw (Exception)Activator.CreateInstance(type)! : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays) = (true, [Short]));
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        Assert.NotNull(TestHost.ControlOf(host).LastFailure!.ToString());
        Assert.All(_test.Log.Of(7).Concat(_test.Log.Of(8)), static line => Assert.NotNull(line.Cause!.ToString()));
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Equal(type.FullName, Assert.Single(letters.List()).ExceptionType);
    }

    [Fact]
    public async Task The_circuit_opens_after_failures_in_a_row_and_resume_closes_it()
    {
        var isDown = true;
        _test.Desk.Work = (_, _, _) => Volatile.Read(ref isDown) ? throw new TimeoutException("The warehouse is down.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = (true, [], 3, TimeSpan.FromHours(1)));
        var control = TestHost.ControlOf(host);
        TestHost.Publish(host, 1, 2, 3, 4, 5);

        await TestHost.UntilAsync(() => control.State == MessageHandlerState.CircuitOpen && control.Running == 0, "the open circuit");
        Assert.IsType<TimeoutException>(control.LastFailure);
        Assert.Equal([1L, 2, 3], _test.Desk.Begun);
        Volatile.Write(ref isDown, false);
        control.Resume();

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 2, "the last orders");
        Assert.Equal((MessageHandlerState.Running, 3), (control.State, control.DeadLetters));
        Assert.Single(_test.Log.Of(12));
    }

    [Fact]
    public async Task After_the_pause_one_order_is_tried_and_closes_the_circuit()
    {
        var failures = 3;
        _test.Desk.Work = (_, _, _) => Interlocked.Decrement(ref failures) >= 0 ? throw new TimeoutException("The warehouse is down.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Concurrency, handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = (2, [Short, Short, Short, Short], 2, Short));
        TestHost.Publish(host, 1, 2, 3, 4, 5);

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 5, "all orders");
        Assert.Equal([1L, 2, 3, 4, 5], _test.Desk.Done.Order());
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.Running, "the closed circuit");
        Assert.NotEmpty(_test.Log.Of(12));
    }

    [Fact]
    public async Task The_circuit_closes_also_if_retention_deleted_the_next_order_during_the_pause()
    {
        var clock = new MovedClock();
        _test.Desk.Work = static (id, _, _) => id == 0 ? throw new TimeoutException("The warehouse is down.") : ValueTask.CompletedTask;
        var host = _test.Build(services => services.AddSingleton<TimeProvider>(clock).AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.SegmentBytes = 1 << 16;
            queue.Options.Retention = new QueueRetention { MaxBytes = 1 << 16, KeepUnread = false };
        }).AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping", static handler => (handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = ([], 1, TimeSpan.FromHours(1))));
        await host.StartAsync();
        var control = TestHost.ControlOf(host);
        var publisher = host.Services.GetRequiredService<MessagePublisher<Order>>();

        // The order after the first one begins another segment, which is deleted as a whole.
        publisher.Publish(new Order { Id = 0, Customer = new string('x', 64_000) });
        await TestHost.UntilAsync(() => control is { State: MessageHandlerState.CircuitOpen, DeadLetters: 1 }, "the open circuit");
        for (var id = 1; id <= 500; id++)
        {
            publisher.Publish(new Order { Id = id, Customer = new string('x', 2_000) });
        }

        host.Services.GetRequiredKeyedService<MessageQueue>("orders").ApplyRetention();
        clock.Move(TimeSpan.FromHours(1));

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(500), "the last order");
        Assert.Equal(MessageHandlerState.Running, control.State);
        Assert.NotEmpty(_test.Log.Of(14));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_order_that_fills_a_segment_becomes_a_dead_letter_also_in_a_queue_with_segments_of_that_size(bool isQueueThere)
    {
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakDuration) = (true, [], Short));
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        if (isQueueThere)
        {
            MessageQueue.Open(letters.Path, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes }).Dispose();
        }

        PublishFilling(host.Services.GetRequiredService<MessagePublisher<Order>>());
        TestHost.Publish(host, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        var letter = Assert.Single(letters.List());
        Assert.InRange(letter.Bytes, TestHost.SegmentBytes - 4096, TestHost.SegmentBytes);
        Assert.Equal(isQueueThere ? "" : "No.", letter.Reason);

        _test.Desk.Work = static (_, _, _) => ValueTask.CompletedTask;
        Assert.True(letters.Requeue(letter.Position));
        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(1), "the order that was published again");
    }

    [Fact]
    public async Task A_dead_letter_that_cannot_be_stored_is_kept_until_it_can()
    {
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakDuration) = (true, [], Short));
        var obstacle = Path.Combine(_test.Orders, "dead");
        await File.WriteAllTextAsync(obstacle, "in the way");
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Log.Of(9).Count >= 2, "two refusals");
        Assert.Equal((MessageHandlerState.CircuitOpen, 0), (TestHost.ControlOf(host).State, TestHost.ControlOf(host).DeadLetters));
        Assert.DoesNotContain(2L, _test.Desk.Begun);
        File.Delete(obstacle);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        Assert.Equal([1L, 2], _test.Desk.Begun);
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Single(letters.List());
    }

    [Fact]
    public async Task Dead_letters_whose_files_were_deleted_are_made_anew_with_the_next_one()
    {
        _test.Desk.Work = static (_, _, _) => throw new InvalidOperationException("No.");
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakDuration) = (true, [], Short));
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).DeadLetters == 1, "the first dead letter");
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Single(letters.List());
        Directory.Delete(Path.Combine(_test.Orders, "dead"), recursive: true);
        Assert.Empty(letters.List());

        TestHost.Publish(host, 2);

        await TestHost.UntilAsync(() => TestHost.ControlOf(host).DeadLetters == 2, "the second dead letter");
        Assert.Equal(letters.List().Single().Position, DeadLetterQueue.Open(_test.Orders, "shipping").List().Single().Position);
        Assert.True(letters.Drop(letters.List().Single().Position));
    }

    [Fact]
    public async Task Dead_letters_of_a_flushed_queue_are_on_the_disk_when_their_messages_are_committed()
    {
        MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes, Flush = FlushMode.EveryMessage }).Dispose();
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays) = (true, []));
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        using var letters = MessageQueue.OpenReadOnly(Path.Combine(_test.Orders, "dead", "shipping"));
        Assert.InRange(letters.PublishedPosition, 1, letters.DurablePosition);
    }

    [Fact]
    public async Task The_host_stops_during_the_wait_before_a_further_attempt_and_the_order_comes_again()
    {
        _test.Desk.Work = static (_, _, _) => throw new InvalidOperationException("No.");
        var host = await _test.StartAsync(static handler => handler.RetryDelays = [TimeSpan.FromDays(1)]);
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => _test.Log.Of(7).Count == 1, "the wait");
        await host.StopAsync();
        host.Dispose();

        _test.Desk.Work = static (_, _, _) => ValueTask.CompletedTask;
        var redeliveries = new List<(bool, int)>();
        _test.Desk.Work = (_, context, _) =>
        {
            redeliveries.Add((context.IsRedelivery, context.Attempt));
            return ValueTask.CompletedTask;
        };
        await _test.StartAsync();
        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 1, "the order");
        Assert.Equal([(true, 2)], redeliveries);
        await TestHost.UntilAsync(() => Directory.GetFiles(Path.Combine(_test.Orders, "dead", "shipping.attempts")).Length == 0, "the end of the notes");
    }

    [Fact]
    public async Task A_dead_value_is_a_value()
    {
        var host = _test.Build(static services => services.AddMessageQueue("prices", static queue => queue.Directory = "prices")
            .AddSynchronousHandler<ValueMessage<long>, Refusal>("check", static handler => handler.RetryDelays = []));
        await host.StartAsync();
        var queue = host.Services.GetRequiredKeyedService<MessageQueue>("prices");
        using (var producer = queue.OpenValueProducer<long>())
        {
            producer.Publish(77L);
        }

        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/check");
        await TestHost.UntilAsync(() => control.DeadLetters == 1, "the dead letter");
        using var letters = DeadLetterQueue.Open(queue.Path, "check");
        using var reader = MessageQueue.OpenExisting(letters.Path).OpenReader<ValueMessage<long>>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(77, delivery.Message.Value);
    }

    /// <summary>Publishes the largest order that the queue takes.</summary>
    private static void PublishFilling(MessagePublisher<Order> publisher)
    {
        var length = (int)TestHost.SegmentBytes;
        while (true)
        {
            try
            {
                publisher.Publish(new Order { Id = 1, Customer = new string('x', length) });
                return;
            }
            catch (MessageTooLargeException exception)
            {
                length -= (int)Math.Max(exception.Size - exception.Limit, 8);
            }
        }
    }

    /// <summary>A clock that the test moves on. Its timers end early, so that a wait looks at it again.</summary>
    private sealed class MovedClock : TimeProvider
    {
        private long _moved;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public void Move(TimeSpan time) => Interlocked.Add(ref _moved, time.Ticks);

        public override long GetTimestamp() => Interlocked.Read(ref _moved);

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            System.CreateTimer(callback, state, dueTime < Short ? dueTime : Short, period);
    }

    private sealed class SilentException : Exception
    {
        public override string Message => null!;
    }

    private sealed class UnreadableException : Exception
    {
        public override string Message => throw new InvalidOperationException("The message cannot be read.");
    }

    private sealed class Refusal : ISynchronousMessageHandler<ValueMessage<long>>
    {
        public void Handle(ValueMessage<long> message, MessageContext context, CancellationToken cancellationToken) => throw new InvalidOperationException($"{message.Value}");
    }
}
