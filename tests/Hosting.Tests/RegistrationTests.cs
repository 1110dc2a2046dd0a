using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting.Tests;

public sealed class RegistrationTests : IDisposable
{
    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public async Task A_published_order_reaches_its_handler()
    {
        var host = await _test.StartAsync();
        TestHost.Publish(host, 1, 2, 3);

        await TestHost.UntilAsync(() => _test.Desk.Done.Count == 3, "three orders");
        Assert.Equal([1L, 2, 3], _test.Desk.Done);
        Assert.Equal(_test.Orders, host.Services.GetRequiredKeyedService<MessageQueue>("orders").Path);
    }

    [Fact]
    public async Task A_publisher_is_there_with_the_key_of_its_queue_and_without_one()
    {
        var host = await _test.StartAsync();

        Assert.Same(host.Services.GetRequiredService<MessagePublisher<Order>>(), host.Services.GetRequiredKeyedService<MessagePublisher<Order>>("orders"));
    }

    [Fact]
    public void Of_several_publishers_of_a_type_one_is_requested_by_its_key()
    {
        var host = _test.Build(static services =>
        {
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>();
            services.AddMessageQueue("returns", static queue => queue.Directory = "returns").AddPublisher<Order>();
        });

        var exception = Assert.Throws<InvalidOperationException>(() => host.Services.GetRequiredService<MessagePublisher<Order>>());
        Assert.Contains("orders, returns", exception.Message, StringComparison.Ordinal);
        host.Services.GetRequiredKeyedService<MessagePublisher<Order>>("returns").Publish(new Order { Id = 1 });
    }

    [Fact]
    public async Task Settings_and_options_are_bound_to_the_configuration()
    {
        var host = _test.Build(
            static services =>
            {
                services.AddMessageQueue("orders").AddHandler<OrderBufferedMessage, OrderHandler>("shipping").Settings.BindConfiguration("Queues:Orders");
                services.AddOptions<MessageHandlerOptions>("orders/shipping").BindConfiguration("Handlers:Shipping");
            },
            ("Queues:Orders:Directory", "bound"),
            ("Queues:Orders:Options:SegmentBytes", "65536"),
            ("Handlers:Shipping:Concurrency", "3"),
            ("Handlers:Shipping:RetryDelays:0", "00:00:02"));
        await host.StartAsync();

        var queue = host.Services.GetRequiredKeyedService<MessageQueue>("orders");
        Assert.Equal((Path.Combine(_test.Root, "bound"), 65_536), (queue.Path, queue.SegmentBytes));
        Assert.Equal(3, queue.GetStatistics().Consumers.Single().Members.Count);
        Assert.Equal([TimeSpan.FromSeconds(2)], host.Services.GetRequiredService<IOptionsMonitor<MessageHandlerOptions>>().Get("orders/shipping").RetryDelays);
    }

    [Theory]
    [InlineData("Latest", 2)]
    [InlineData("earliest", 1)]
    [InlineData("0", 1)]
    [InlineData("2100-01-01T00:00Z", 2)]
    [InlineData("1999-12-31", 1)]
    public async Task The_start_of_a_handler_comes_from_the_configuration(string start, long first)
    {
        using (var queue = MessageQueue.Open(_test.Orders))
        using (var publisher = queue.OpenPublisher<Order>(new ProducerOptions { StampTime = true }))
        {
            publisher.Publish(new Order { Id = 1 });
        }

        var host = _test.Build(
            static services =>
            {
                services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping");
                services.AddOptions<MessageHandlerOptions>("orders/shipping").BindConfiguration("Handlers:Shipping");
            },
            ("Handlers:Shipping:Start", start));
        await host.StartAsync();
        TestHost.Publish(host, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the order after the start");
        Assert.Equal(first, _test.Desk.Done.First());
    }

    [Fact]
    public void A_start_in_the_configuration_that_is_none_is_refused()
    {
        var host = _test.Build(
            static services => services.AddOptions<MessageHandlerOptions>("orders/shipping").BindConfiguration("Handlers:Shipping"),
            ("Handlers:Shipping:Start", "Newest"));

        var exception = Assert.Throws<InvalidOperationException>(() => host.Services.GetRequiredService<IOptionsMonitor<MessageHandlerOptions>>().Get("orders/shipping"));
        Assert.Contains("'Newest' is not a place in a queue.", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_queue_in_shared_memory_is_opened_by_its_name()
    {
        var name = $"hosting-{Guid.NewGuid():N}";
        try
        {
            using (var host = _test.Build(services => services.AddMessageQueue("orders", queue => queue.SharedName = name)))
            {
                await host.StartAsync();
                Assert.Equal(QueueMode.Bounded, host.Services.GetRequiredKeyedService<MessageQueue>("orders").Mode);
            }
        }
        finally
        {
            MessageQueue.Delete(MessageQueue.GetSharedPath(name));
        }
    }

    [Theory]
    [InlineData(null, null, "Directory of the queue 'orders': Neither it nor SharedName is set")]
    [InlineData("data", "name", "Directory of the queue 'orders': Both it and SharedName are set")]
    public async Task Without_one_place_the_host_does_not_start(string? directory, string? sharedName, string message)
    {
        var host = _test.Build(services => services.AddMessageQueue("orders", queue => (queue.Directory, queue.SharedName) = (directory, sharedName)));

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains(message, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_empty_shared_name_is_none()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders").Settings.BindConfiguration("Orders"), ("Orders:Directory", "orders"), ("Orders:SharedName", ""));
        await host.StartAsync();

        Assert.Equal(_test.Orders, host.Services.GetRequiredKeyedService<MessageQueue>("orders").Path);
    }

    [Fact]
    public async Task Invalid_options_of_a_queue_stop_the_start()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.SegmentBytes = 1_000;
        }));

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains("Options of the queue 'orders'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_mode_that_files_cannot_have_stops_the_start_and_is_named()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.FileMode = UnixFileMode.UserRead;
        }));

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains("Options of the queue 'orders': FileMode 0400 is not valid for files", exception.Message, StringComparison.Ordinal);
        Assert.Contains("'FileMode'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_invalid_options_of_a_handler_are_reported_at_once()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "orders")
            .AddHandler<OrderBufferedMessage, OrderHandler>("shipping", static handler =>
            {
                handler.Concurrency = 0;
                handler.MessagesPerCommit = 8;
                handler.Wait = (WaitStrategy)77;
                handler.RetryDelays = [TimeSpan.FromSeconds(-1)];
                handler.MaxDeaths = 0;
                handler.BreakAfter = 0;
                handler.BreakDuration = TimeSpan.Zero;
                handler.StopTimeout = TimeSpan.FromDays(100);
            }));

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(
            ["Concurrency", "MessagesPerCommit", "Wait", "RetryDelays", "MaxDeaths", "BreakAfter", "BreakDuration", "StopTimeout"],
            exception.Failures.Select(static failure => failure.Split(' ')[0]));
        Assert.All(exception.Failures, static failure => Assert.Contains("'orders/shipping'", failure, StringComparison.Ordinal));
    }

    [Fact]
    public async Task All_invalid_limits_of_health_stop_the_start()
    {
        var host = _test.Build(static services =>
        {
            services.AddHealthChecks().AddMessageQueues(static health =>
            {
                health.MaxLagBytes = -1;
                health.MaxUnreadAge = TimeSpan.FromSeconds(-1);
                health.MinFreeBytes = -1;
                health.DeadLetterWindow = TimeSpan.FromSeconds(-1);
            });
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders");
        });

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(["MaxLagBytes", "MaxUnreadAge", "MinFreeBytes", "DeadLetterWindow"], exception.Failures.Select(static failure => failure.Split(' ')[0]));
        Assert.All(exception.Failures, static failure => Assert.Contains("'orders'", failure, StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_ordered_handler_has_one_worker()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "orders")
            .AddHandler<OrderBufferedMessage, OrderHandler>("shipping", static handler => (handler.Ordered, handler.Concurrency) = (true, 2)));

        Assert.Contains("ordered handler has one worker", (await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync())).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".hidden")]
    [InlineData("a/b")]
    public void A_handler_has_a_name_that_a_folder_can_have(string name)
    {
        var services = new ServiceCollection();

        Assert.ThrowsAny<ArgumentException>(() => services.AddMessageQueue("orders").AddHandler<OrderBufferedMessage, OrderHandler>(name));
    }

    [Theory]
    [InlineData("shipping.attempts")]
    [InlineData("shipping.removed")]
    [InlineData("shipping.Removed")]
    public void A_handler_or_responder_does_not_have_the_name_of_notes_about_another_one(string name)
    {
        var orders = new ServiceCollection().AddMessageQueue("orders");

        Assert.Contains($"'{name}'", Assert.Throws<ArgumentException>(() => orders.AddHandler<OrderBufferedMessage, OrderHandler>(name)).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => orders.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(name));
    }

    [Fact]
    public void A_second_handler_or_publisher_of_the_same_name_is_refused()
    {
        var orders = new ServiceCollection().AddMessageQueue("orders").AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping");

        Assert.Throws<InvalidOperationException>(() => orders.AddHandler<OrderBufferedMessage, OrderHandler>("shipping"));
        Assert.Throws<InvalidOperationException>(() => orders.AddPublisher<Order>());
    }

    [Fact]
    public async Task A_handler_that_cannot_be_created_stops_the_start()
    {
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "orders")
            .AddHandler<OrderBufferedMessage, LonelyHandler>("shipping"));

        Assert.Contains(nameof(IDisposable), (await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync())).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handler_that_cannot_be_created_for_all_workers_is_disposed_for_the_others(bool isUndisposable)
    {
        var created = new List<FragileHandler>();
        var host = _test.Build(services =>
        {
            services.AddTransient(_ => new FragileHandler(created, isUndisposable));
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders")
                .AddHandler<OrderBufferedMessage, FragileHandler>("shipping", static handler => handler.Concurrency = 3);
        });

        Assert.Equal("There are two already.", (await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync())).Message);
        Assert.Equal([true, true], created.Select(static handler => handler.IsDisposed));
        Assert.Equal(isUndisposable ? 2 : 0, _test.Log.Of(18).Count);
    }

    [Fact]
    public async Task A_handler_that_cannot_be_disposed_does_not_hide_why_its_host_does_not_start()
    {
        using var orders = MessageQueue.Open(_test.Orders);
        using var holder = orders.OpenConsumer<OrderBufferedMessage>("shipping");
        var host = _test.Build(static services =>
        {
            services.AddTransient(static _ => new FragileHandler([], isUndisposable: true));
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders")
                .AddHandler<OrderBufferedMessage, FragileHandler>("shipping", static handler => handler.Ordered = true);
        });

        await Assert.ThrowsAsync<QueueInUseException>(() => host.StartAsync());
        Assert.Equal("It cannot be disposed.", Assert.Single(_test.Log.Of(18)).Cause!.Message);
    }

    [Fact]
    public async Task Several_queues_handlers_and_hosts_work_in_one_process()
    {
        void Add(IServiceCollection services)
        {
            foreach (var name in new[] { "one", "two" })
            {
                services.AddMessageQueue(name, queue => queue.Directory = name).AddPublisher<Order>()
                    .AddHandler<OrderBufferedMessage, OrderHandler>("first")
                    .AddSynchronousHandler<OrderBufferedMessage, SynchronousOrderHandler>("second");
            }
        }

        var hosts = new[] { _test.Build(Add), _test.Build(Add) };
        await Task.WhenAll(hosts.Select(static host => host.StartAsync()));
        for (var i = 0; i < 100; i++)
        {
            hosts[i % 2].Services.GetRequiredKeyedService<MessagePublisher<Order>>(i % 4 < 2 ? "one" : "two").Publish(new Order { Id = i });
        }

        await TestHost.UntilAsync(() => _test.Desk.Done.Count >= 200, "each order by two handlers");
        await Task.WhenAll(hosts.Select(static host => host.StopAsync()));
        Assert.Equal(Enumerable.Range(0, 100).SelectMany(static id => new[] { (long)id, id }), _test.Desk.Done.Order());
    }

    private sealed class FragileHandler : IMessageHandler<OrderBufferedMessage>, IAsyncDisposable
    {
        private readonly bool _isUndisposable;

        public FragileHandler(List<FragileHandler> created, bool isUndisposable)
        {
            if (created.Count == 2)
            {
                throw new InvalidOperationException("There are two already.");
            }

            _isUndisposable = isUndisposable;
            created.Add(this);
        }

        public bool IsDisposed { get; private set; }

        public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return _isUndisposable ? ValueTask.FromException(new InvalidOperationException("It cannot be disposed.")) : ValueTask.CompletedTask;
        }
    }

    private sealed class LonelyHandler(IDisposable missing) : IMessageHandler<OrderBufferedMessage>
    {
        public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
        {
            missing.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
