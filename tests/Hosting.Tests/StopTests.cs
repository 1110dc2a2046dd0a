using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Hosting.Tests;

public sealed class StopTests : IDisposable
{
    private const int Stops = 100;

    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public async Task Stops_under_load_lose_nothing_and_repeat_nothing_that_is_not_flagged()
    {
        var handled = new ConcurrentQueue<(long Id, bool IsRedelivery)>();
        _test.Desk.Work = async (id, context, stop) =>
        {
            if (id % 3 == 0)
            {
                await Task.Yield();
            }

            stop.ThrowIfCancellationRequested();
            handled.Enqueue((id, context.IsRedelivery));
        };
        using var queue = MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes });
        using var publisher = queue.OpenPublisher<Order>();
        using var end = new CancellationTokenSource();
        var published = 0L;
        var load = Task.Run(async () =>
        {
            while (!end.IsCancellationRequested)
            {
                publisher.Publish(new Order { Id = published++ });
                if (published % 100 == 0)
                {
                    await Task.Delay(1);
                }
            }
        });

        for (var i = 0; i < Stops; i++)
        {
            var before = handled.Count;
            using var host = await _test.StartAsync(handler => (handler.Concurrency, handler.DedicatedThread, handler.StopTimeout) = (3, i % 2 == 0, TimeSpan.FromSeconds(i % 10 == 0 ? 0 : 30)));
            await TestHost.UntilAsync(() => handled.Count > before, "an order");
            await host.StopAsync();
            if (i % 10 == 0)
            {
                // On a busy machine a cancelled handler may take longer than the grace of the stop to notice.
                await TestHost.UntilAsync(() => TestHost.ControlOf(host).Running == 0, "the end of the handlers");
            }

            Assert.Equal((MessageHandlerState.Stopped, 0), (TestHost.ControlOf(host).State, TestHost.ControlOf(host).Running));
        }

        await end.CancelAsync();
        await load;
        await _test.StartAsync(static handler => handler.Concurrency = 3);
        await TestHost.UntilAsync(() => handled.Select(static order => order.Id).Distinct().Count() == published, "all orders");
        Assert.All(handled.GroupBy(static order => order.Id).Where(static group => group.Count() > 1), static group => Assert.All(group.Skip(1), static order => Assert.True(order.IsRedelivery)));

        // Only the stops without time cancel a handler, which on a busy machine may take longer than its grace to notice.
        Assert.InRange(_test.Log.Of(6).Count, 0, Stops / 10);
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(5, false)]
    public async Task A_handler_is_cancelled_after_its_time_and_its_message_comes_again(int maxDeaths, bool isOrdered)
    {
        var isBlocked = new TaskCompletionSource();
        _test.Desk.Work = (_, _, stop) =>
        {
            isBlocked.SetResult();
            return new ValueTask(Task.Delay(Timeout.Infinite, stop));
        };
        var host = await _test.StartAsync(handler => (handler.StopTimeout, handler.MaxDeaths, handler.Ordered) = (TimeSpan.FromMilliseconds(50), maxDeaths, isOrdered));
        TestHost.Publish(host, 1);
        await isBlocked.Task;
        await host.StopAsync();
        Assert.Equal((0, 0), (TestHost.ControlOf(host).Handled, TestHost.ControlOf(host).DeadLetters));
        Assert.Single(_test.Log.Of(5));
        host.Dispose();
        using (var queue = MessageQueue.OpenExisting(_test.Orders))
        {
            // A worker that needs longer than the grace of the stop to end keeps the name until then.
            await TestHost.UntilAsync(() => !queue.GetStatistics().Consumers.Single().Members.Any(static member => member.IsAlive), "the end of the worker");
        }

        // A name that is exclusive takes a message up again when it was closed; a group delivers it again.
        _test.Desk.Work = (_, context, _) => context.IsRedelivery != isOrdered ? ValueTask.CompletedTask : throw new InvalidOperationException("It is flagged wrongly.");
        await _test.StartAsync(handler => (handler.MaxDeaths, handler.Ordered) = (maxDeaths, isOrdered));
        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 1, "the order");
        var notes = Path.Combine(_test.Orders, "dead", "shipping.attempts");
        await TestHost.UntilAsync(() => !Directory.Exists(notes) || Directory.GetFiles(notes).Length == 0, "the end of the notes");
    }

    [Fact]
    public async Task Stops_during_the_same_message_do_not_add_up_to_a_death()
    {
        var attempts = new ConcurrentQueue<int>();
        for (var life = 1; life <= 3; life++)
        {
            var isBlocked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _test.Desk.Work = (_, context, stop) =>
            {
                attempts.Enqueue(context.Attempt);
                isBlocked.SetResult();
                return new ValueTask(Task.Delay(Timeout.Infinite, stop));
            };
            using var host = await _test.StartAsync(static handler => (handler.StopTimeout, handler.MaxDeaths) = (TimeSpan.Zero, 1));
            if (life == 1)
            {
                TestHost.Publish(host, 1);
            }

            await isBlocked.Task.WaitAsync(TimeSpan.FromSeconds(60));
            await host.StopAsync();
        }

        _test.Desk.Work = (_, context, _) =>
        {
            attempts.Enqueue(context.Attempt);
            return ValueTask.CompletedTask;
        };
        await _test.StartAsync(static handler => handler.MaxDeaths = 1);
        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 1, "the order");
        Assert.Equal([1, 2, 2, 2], attempts);
    }

    [Fact]
    public async Task A_stop_with_less_time_than_the_handler_does_not_say_that_it_has_waited_that_long()
    {
        var isBlocked = new TaskCompletionSource();
        _test.Desk.Work = (_, _, stop) =>
        {
            isBlocked.SetResult();
            return new ValueTask(Task.Delay(Timeout.Infinite, stop));
        };
        var host = await _test.StartAsync(static handler => handler.StopTimeout = TimeSpan.FromHours(1));
        TestHost.Publish(host, 1);
        await isBlocked.Task;
        await host.Services.GetRequiredKeyedService<HandlerRun>("orders/shipping").StopAsync(new CancellationToken(canceled: true));

        Assert.DoesNotContain("01:00:00", Assert.Single(_test.Log.Of(5)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_callback_that_throws_does_not_keep_a_handler_from_closing()
    {
        await StopBeforeItEndsAsync(static stop => stop.Register(static () => throw new InvalidOperationException("The callback failed.")));

        // It runs on the pool, for which the stop does not wait longer than its grace.
        await TestHost.UntilAsync(() => _test.Log.Of(17).Count != 0, "the failure of the callback");
        Assert.Contains("The callback failed.", Assert.Single(_test.Log.Of(17)).Cause!.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_handler_that_fails_when_it_is_disposed_does_not_keep_the_host_from_its_stop_and_the_log_says_so()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "orders")
            .AddHandler<OrderBufferedMessage, UndisposableHandler>("shipping"));
        await host.StartAsync();
        await host.StopAsync();

        Assert.Equal(MessageHandlerState.Stopped, TestHost.ControlOf(host).State);
        Assert.Equal("It cannot be disposed.", Assert.Single(_test.Log.Of(18)).Cause!.Message);
    }

    [Fact]
    public async Task A_callback_that_blocks_does_not_hold_up_the_stop()
    {
        using var gate = new ManualResetEventSlim();
        try
        {
            await StopBeforeItEndsAsync(stop => stop.Register(gate.Wait));
        }
        finally
        {
            gate.Set();
        }
    }

    [Fact]
    public async Task A_handler_that_blocks_when_it_is_disposed_does_not_hold_up_a_stop_during_the_wait_before_a_further_attempt()
    {
        using var gate = new ManualResetEventSlim();
        var host = _test.Build(services =>
        {
            services.AddTransient(_ => new LingeringHandler(gate));
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>()
                .AddHandler<OrderBufferedMessage, LingeringHandler>("shipping", static handler => (handler.RetryDelays, handler.StopTimeout) = ([TimeSpan.FromDays(1)], TimeSpan.Zero));
        });
        await host.StartAsync();
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => _test.Log.Of(7).Count == 1, "the wait");
        try
        {
            await Task.Run(() => host.StopAsync()).WaitAsync(TimeSpan.FromSeconds(60));
        }
        finally
        {
            gate.Set();
        }
    }

    // The token that an admitted worker has is cancelled in the middle of the stop.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_worker_that_asks_to_begin_during_the_stop_ends(bool hasFailed)
    {
        using var flow = new HandlerFlow(new HandlerIdentity("orders", "shipping", new MessageHandlerOptions(), TimeProvider.System, NullLogger.Instance));
        flow.Start("orders");
        Task<CancellationToken?>? entering = null;
        var admission = await flow.EnterAsync(hasMessage: false);
        admission!.Value.Register(() => entering = flow.EnterAsync(hasMessage: false).AsTask());
        if (hasFailed)
        {
            flow.Fail(new InvalidOperationException("The queue is damaged."));
        }
        else
        {
            flow.Stop();
        }

        Assert.Null(await entering!.WaitAsync(TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public async Task A_callback_that_blocks_does_not_hold_up_the_disposal_of_a_host_that_was_not_stopped()
    {
        using var gate = new ManualResetEventSlim();
        var begun = new TaskCompletionSource();
        _test.Desk.Work = (_, _, stop) =>
        {
            stop.Register(gate.Wait);
            begun.SetResult();
            return new ValueTask(Task.Delay(Timeout.Infinite, stop));
        };
        var host = await _test.StartAsync();
        TestHost.Publish(host, 1);
        await begun.Task;
        try
        {
            await Task.Run(host.Dispose).WaitAsync(TimeSpan.FromSeconds(60));
        }
        finally
        {
            gate.Set();
        }
    }

    [Fact]
    public async Task A_running_handler_may_finish_within_its_time()
    {
        var begun = new TaskCompletionSource();
        var release = new TaskCompletionSource();
        _test.Desk.Work = async (_, _, _) =>
        {
            begun.SetResult();
            await release.Task;
        };
        var host = await _test.StartAsync();
        TestHost.Publish(host, 1);
        await begun.Task;
        var stop = host.StopAsync();
        Assert.False(stop.IsCompleted);
        release.SetResult();
        await stop;

        Assert.Equal(1, TestHost.ControlOf(host).Handled);
        using var queue = MessageQueue.OpenExisting(_test.Orders);
        using var member = queue.OpenConsumer<RawMessage>("shipping", new() { Shared = true });
        Assert.False(member.TryRead(out _));
    }

    [Fact]
    public Task A_handler_that_ignores_its_token_does_not_hold_up_the_stop() => StopBeforeItEndsAsync(static _ => { });

    private sealed class UndisposableHandler : IMessageHandler<OrderBufferedMessage>, IAsyncDisposable
    {
        public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.FromException(new InvalidOperationException("It cannot be disposed."));
    }

    private sealed class LingeringHandler(ManualResetEventSlim gate) : IMessageHandler<OrderBufferedMessage>, IDisposable
    {
        public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) => throw new InvalidOperationException("Not yet.");

        public void Dispose() => gate.Wait();
    }

    /// <summary>Stops a host whose handler goes on, and waits for the end of the handler.</summary>
    /// <param name="begin">The first step of the handler, with its token.</param>
    private async Task StopBeforeItEndsAsync(Action<CancellationToken> begin)
    {
        var begun = new TaskCompletionSource();
        var release = new TaskCompletionSource();
        _test.Desk.Work = async (_, _, stop) =>
        {
            begin(stop);
            begun.SetResult();
            await release.Task;
        };
        var host = await _test.StartAsync(static handler => handler.StopTimeout = TimeSpan.Zero);
        TestHost.Publish(host, 1);
        await begun.Task;
        await host.StopAsync().WaitAsync(TimeSpan.FromSeconds(60));

        Assert.Single(_test.Log.Of(6));
        release.SetResult();
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the end of the handler");
    }
}
