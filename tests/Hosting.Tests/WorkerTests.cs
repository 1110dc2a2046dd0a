using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

public sealed class WorkerTests : IDisposable
{
    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public async Task Workers_handle_messages_at_the_same_time_each_once()
    {
        var all = new TaskCompletionSource();
        _test.Desk.Work = async (_, _, _) =>
        {
            if (_test.Desk.MostAtOnce == 4)
            {
                all.TrySetResult();
            }

            await all.Task;
        };
        var host = await _test.StartAsync(static handler => handler.Concurrency = 4);
        TestHost.Publish(host, Enumerable.Range(0, 1_000).Select(static id => (long)id));

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 1_000, "all orders");
        Assert.Equal(4, _test.Desk.MostAtOnce);
        Assert.Equal(Enumerable.Range(0, 1_000).Select(static id => (long)id), _test.Desk.Done.Order());
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(64, false)]
    [InlineData(64, true)]
    public async Task An_ordered_handler_sees_all_messages_in_order(int messagesPerCommit, bool isSynchronous)
    {
        var ids = Enumerable.Range(0, 20_000).Select(static id => (long)id).ToList();
        var host = await _test.StartAsync(handler => (handler.Ordered, handler.MessagesPerCommit) = (true, messagesPerCommit), isSynchronous);
        TestHost.Publish(host, ids);

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == ids.Count, "all orders");
        Assert.Equal(ids, _test.Desk.Done);
        await TestHost.UntilAsync(() => host.Services.GetRequiredKeyedService<MessageQueue>("orders").GetStatistics().Consumers.Single().LagBytes == 0, "the commit of all");
    }

    [Fact]
    public async Task A_handler_can_be_called_without_a_host_with_a_context_that_belongs_to_no_message()
    {
        using var owner = OrderBufferedMessage.CreatePooled(new Order { Id = 7 });

        await new OrderHandler(_test.Desk).HandleAsync(owner.Message, default, CancellationToken.None);

        Assert.Equal([7L], _test.Desk.Done);
        Assert.Throws<ObjectDisposedException>(() => _test.Desk.Contexts.Single().Attempt);
    }

    [Fact]
    public async Task A_thread_of_its_own_begins_each_message()
    {
        var threads = new ConcurrentBag<int>();
        _test.Desk.Work = async (_, _, _) =>
        {
            threads.Add(Environment.CurrentManagedThreadId);
            await Task.Yield();
        };
        var host = await _test.StartAsync(static handler => handler.DedicatedThread = true);
        foreach (var id in Enumerable.Range(1, 50))
        {
            TestHost.Publish(host, id);
            await TestHost.UntilAsync(() => _test.Desk.Done.Count == id, "the order");
        }

        Assert.Single(threads.Distinct());
        await host.StopAsync();
        Assert.Equal(MessageHandlerState.Stopped, TestHost.ControlOf(host).State);
    }

    [Fact]
    public async Task A_thread_of_its_own_handles_many_messages_in_turn()
    {
        var threads = new ConcurrentBag<int>();
        _test.Desk.Work = (_, _, _) =>
        {
            threads.Add(Environment.CurrentManagedThreadId);
            return ValueTask.CompletedTask;
        };
        var host = await _test.StartAsync(static handler => handler.DedicatedThread = true, isSynchronous: true);
        TestHost.ControlOf(host).Pause();
        TestHost.Publish(host, Enumerable.Range(0, 10_000).Select(static id => (long)id));
        TestHost.ControlOf(host).Resume();

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 10_000, "all orders");
        Assert.Single(threads.Distinct());
    }

    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 10)]
    public async Task Scopes_are_of_workers_or_of_messages(bool scopePerMessage, int scopes)
    {
        var seen = new ConcurrentQueue<Scoped>();
        var host = _test.Build(services =>
        {
            services.AddSingleton(seen).AddScoped<Scoped>();
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>()
                .AddHandler<OrderBufferedMessage, ScopedHandler>("shipping", handler => (handler.Concurrency, handler.ScopePerMessage) = (2, scopePerMessage));
        });
        await host.StartAsync();
        _test.Desk.Work = async (_, _, _) => await TestHost.UntilAsync(() => _test.Desk.Begun.Count >= 2, "both workers");
        TestHost.Publish(host, Enumerable.Range(0, 10).Select(static id => (long)id));

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 10, "all orders");
        Assert.Equal(scopes, seen.Distinct().Count());
        await host.StopAsync();
        await TestHost.UntilAsync(() => seen.All(static scoped => scoped.IsDisposed), "the end of the scopes");
    }

    [Fact]
    public async Task A_context_serves_until_the_handler_is_done_and_not_longer()
    {
        string? tenant = null;
        _test.Desk.Work = async (_, context, _) =>
        {
            await Task.Yield();
            tenant = context.Properties.TryGetHeader("tenant", out var value) ? value.ToString() : null;
            Assert.Equal(("orders", "shipping", 1, false), (context.QueueName, context.HandlerName, context.Attempt, context.IsRedelivery));
            Assert.Equal(context.Position, context.Id.Position);
        };
        var host = await _test.StartAsync();
        var properties = new MessageProperties();
        properties.Headers["tenant"] = "north";
        host.Services.GetRequiredService<MessagePublisher<Order>>().Publish(new Order { Id = 1 }, properties);

        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");
        Assert.Equal("north", tenant);
        Assert.True(_test.Desk.Contexts.TryDequeue(out var kept));
        Assert.Throws<ObjectDisposedException>(() => kept.Position);
        TestHost.Publish(host, 2);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 2, "the next order");
        Assert.Throws<ObjectDisposedException>(() => kept.Attempt);
        Assert.Throws<ObjectDisposedException>(() => default(MessageContext).Id);
    }

    [Fact]
    public async Task A_paused_handler_leaves_messages_to_others_and_goes_on_when_it_is_resumed()
    {
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _test.Desk.Work = (_, _, _) => new ValueTask(gate.Task);
        var host = await _test.StartAsync();
        var control = TestHost.ControlOf(host);
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => _test.Desk.Begun.Contains(1), "the first order");

        // The worker has an order. If it were about to take one, it could still handle the next.
        control.Pause();
        gate.SetResult();
        Assert.Equal(MessageHandlerState.Paused, control.State);
        TestHost.Publish(host, 2);

        using (var other = host.Services.GetRequiredKeyedService<MessageQueue>("orders").OpenConsumer<OrderBufferedMessage>("shipping", new() { Shared = true }))
        {
            Assert.True(other.TryRead(out var delivery, TimeSpan.FromSeconds(60)));
            Assert.Equal(2, delivery.Message.Id);
            delivery.Commit();
        }

        TestHost.Publish(host, 3);
        control.Resume();
        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 2, "the order after the pause");
        Assert.Equal([1L, 3], _test.Desk.Done);
        Assert.Equal((1, 1), (_test.Log.Of(10).Count, _test.Log.Of(11).Count));
    }

    [Fact]
    public async Task A_paused_handler_finishes_its_order_with_all_attempts()
    {
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _test.Desk.Work = async (_, context, _) =>
        {
            if (context.Attempt == 1)
            {
                await gate.Task;
                throw new InvalidOperationException("Not yet.");
            }
        };
        var host = await _test.StartAsync(static handler => handler.RetryDelays = [TimeSpan.Zero]);
        var control = TestHost.ControlOf(host);
        TestHost.Publish(host, 1, 2);
        await TestHost.UntilAsync(() => _test.Desk.Begun.Contains(1), "the first order");
        control.Pause();
        gate.SetResult();

        await TestHost.UntilAsync(() => control.Handled == 1, "the second attempt");
        Assert.Equal([1L, 1], _test.Desk.Begun);
        Assert.Equal(MessageHandlerState.Paused, control.State);
        control.Resume();
        await TestHost.UntilAsync(() => control.Handled == 2, "the second order");
    }

    [Fact]
    public async Task A_handler_that_is_paused_before_the_start_begins_nothing()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>()
            .AddHandler<OrderBufferedMessage, OrderHandler>("shipping"));
        var control = TestHost.ControlOf(host);
        control.Pause();
        await host.StartAsync();
        TestHost.Publish(host, 1);

        Assert.Equal((MessageHandlerState.Paused, 0), (control.State, control.Handled));
        Assert.NotEqual(0, host.Services.GetRequiredKeyedService<MessageQueue>("orders").GetStatistics().Consumers.Single().LagBytes);
        control.Resume();
        await TestHost.UntilAsync(() => control.Handled == 1, "the order");
    }

    [Fact]
    public async Task A_handler_that_is_paused_and_resumed_before_the_start_has_not_started()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>()
            .AddHandler<OrderBufferedMessage, OrderHandler>("shipping"));
        var control = TestHost.ControlOf(host);
        control.Pause();
        control.Resume();

        Assert.Equal(MessageHandlerState.NotStarted, control.State);
        await host.StartAsync();
        Assert.Equal(MessageHandlerState.Running, control.State);
    }

    [Fact]
    public async Task A_handler_steps_over_messages_that_retention_deleted()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.SegmentBytes = 1 << 16;
            queue.Options.Retention = new QueueRetention { MaxBytes = 1 << 16, KeepUnread = false };
        }).AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping", static handler => handler.Concurrency = 2));
        await host.StartAsync();
        TestHost.ControlOf(host).Pause();
        TestHost.Publish(host, Enumerable.Range(0, 10_000).Select(static id => (long)id));
        host.Services.GetRequiredKeyedService<MessageQueue>("orders").ApplyRetention();
        TestHost.ControlOf(host).Resume();

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(9_999), "the last order");
        Assert.Equal(MessageHandlerState.Running, TestHost.ControlOf(host).State);
        await TestHost.UntilAsync(() => _test.Log.Of(14).Count > 0, "the log of the step");
        Assert.Distinct(_test.Desk.Done);
    }

    [Fact]
    public async Task A_handler_steps_over_messages_while_retention_goes_on_deleting()
    {
        using var test = new TestHost(isInMemory: true);
        test.Desk.Work = static async (_, _, stop) => await Task.Delay(1, stop);
        var host = test.Build(static services => services.AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.SegmentBytes = 1 << 16;
            queue.Options.Retention = new QueueRetention { MaxBytes = 1 << 16, KeepUnread = false };
        }).AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping", static handler => handler.Concurrency = 4));
        await host.StartAsync();
        var control = TestHost.ControlOf(host);
        var publisher = host.Services.GetRequiredService<MessagePublisher<Order>>();
        using var end = new CancellationTokenSource();

        // Each order begins a segment, and all earlier ones are deleted.
        var publishing = Task.Run(() =>
        {
            var order = new Order { Customer = new string('x', 40_000) };
            while (!end.IsCancellationRequested)
            {
                publisher.Publish(order);
            }
        });
        try
        {
            await TestHost.UntilAsync(() => test.Log.Of(14).Count >= 10 || control.State != MessageHandlerState.Running, "ten steps");
            Assert.True(control.State == MessageHandlerState.Running, $"{control.LastFailure}");
        }
        finally
        {
            await end.CancelAsync();
            await publishing;
        }
    }

    private sealed class Scoped : IAsyncDisposable
    {
        public bool IsDisposed { get; private set; }

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return ValueTask.CompletedTask;
        }
    }

    private sealed class ScopedHandler(Scoped scoped, ConcurrentQueue<Scoped> seen, Desk desk) : IMessageHandler<OrderBufferedMessage>
    {
        public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
        {
            seen.Enqueue(scoped);
            return desk.HandleAsync(message.Id, context, cancellationToken);
        }
    }
}
