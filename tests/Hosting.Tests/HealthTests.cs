using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Each state of a queue's health, provoked.</summary>
public sealed class HealthTests : IDisposable
{
    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public async Task A_queue_that_works_is_healthy()
    {
        var host = await StartAsync();
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");

        var entry = await CheckAsync(host);
        Assert.Equal((HealthStatus.Healthy, "The queue 'orders' and its handlers work."), (entry.Status, entry.Description));
        Assert.Equal((_test.Orders, "Running"), (entry.Data["path"], entry.Data["handler.shipping"]));
        Assert.Contains("lag.shipping", entry.Data.Keys);
    }

    [Fact]
    public async Task A_second_call_adds_its_limits_and_tags_to_the_checks_of_the_first()
    {
        var host = _test.Build(static services =>
        {
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping");
            services.AddHealthChecks().AddMessageQueues(tags: ["ready"]).AddMessageQueues(static health => health.MaxLagBytes = 1, ["live"]);
        });
        TestHost.ControlOf(host).Pause();
        await host.StartAsync();

        Assert.Equal(["live", "ready"], (await CheckAsync(host)).Tags.Order(StringComparer.Ordinal));
        TestHost.Publish(host, 1);
        await AssertDegradedAsync(host, "bytes, more than 1");
    }

    [Fact]
    public async Task A_queue_that_cannot_be_opened_is_unhealthy()
    {
        await File.WriteAllTextAsync(_test.Orders, "no folder");

        await AssertUnhealthyAsync(Build(), "cannot be used");
    }

    [Fact]
    public async Task A_damaged_queue_is_unhealthy()
    {
        Directory.CreateDirectory(_test.Orders);
        await File.WriteAllBytesAsync(Path.Combine(_test.Orders, "control"), [.. Enumerable.Repeat((byte)0xFF, 1 << 16)]);

        await AssertUnhealthyAsync(Build(), "is damaged");
    }

    [Fact]
    public async Task A_handler_that_met_a_damaged_record_makes_its_queue_unhealthy()
    {
        var host = Build();
        TestHost.ControlOf(host).Pause();
        await host.StartAsync();
        var queue = host.Services.GetRequiredKeyedService<MessageQueue>("orders");
        var position = host.Services.GetRequiredService<MessagePublisher<Order>>().Publish(new Order { Id = 1 });
        TestHost.Publish(host, 2);
        using (var file = File.OpenHandle(Directory.GetFiles(_test.Orders, "*.segment").Single(), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
        {
            RandomAccess.Write(file, [.. Enumerable.Repeat((byte)0xEE, 16)], position % queue.SegmentBytes);
        }

        TestHost.ControlOf(host).Resume();
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.Failed, "the failure");
        Assert.IsType<QueueCorruptedException>(TestHost.ControlOf(host).LastFailure);
        await AssertUnhealthyAsync(host, "is damaged");
        Assert.Single(_test.Log.Of(13));
    }

    [Fact]
    public async Task A_queue_whose_files_were_deleted_is_unhealthy_and_its_handler_fails()
    {
        var host = await StartAsync();
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");
        foreach (var file in Directory.GetFiles(_test.Orders))
        {
            File.Delete(file);
        }

        await AssertUnhealthyAsync(host, "was deleted while this program used the queue");
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.Failed, "the failure");
        Assert.IsType<StaleQueueException>(TestHost.ControlOf(host).LastFailure);
    }

    [Fact]
    public async Task A_disk_without_room_is_unhealthy() =>
        await AssertUnhealthyAsync(await StartAsync(static health => health.MinFreeBytes = long.MaxValue), "Free some space");

    [Fact]
    public async Task A_handler_that_pauses_because_the_disk_is_full_is_unhealthy()
    {
        _test.Desk.Work = static (_, _, _) => throw new DiskFullException("a file", 4096);
        var host = await StartAsync();
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.CircuitOpen, "the open circuit");

        await AssertUnhealthyAsync(host, "because the disk is full");
    }

    [Fact]
    public async Task A_handler_that_pauses_because_the_disk_fails_does_not_call_it_full_alone()
    {
        _test.Desk.Work = static (_, _, _) => throw new FlushFailedException("a folder", 0, new IOException("The disk failed."));
        var host = await StartAsync();
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.CircuitOpen, "the open circuit");

        await AssertUnhealthyAsync(host, "because the disk is full or fails");
    }

    [Fact]
    public async Task A_paused_handler_makes_its_queue_degraded()
    {
        var host = await StartAsync();
        TestHost.ControlOf(host).Pause();

        await AssertDegradedAsync(host, "Handler 'shipping' is paused");
        TestHost.ControlOf(host).Resume();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
    }

    [Fact]
    public async Task An_open_circuit_makes_its_queue_degraded()
    {
        _test.Desk.Work = static (_, _, _) => throw new TimeoutException("The warehouse is down.");
        var host = await StartAsync(static health => health.DeadLetterWindow = TimeSpan.Zero);
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).State == MessageHandlerState.CircuitOpen, "the open circuit");

        await AssertDegradedAsync(host, "The warehouse is down.");
    }

    [Fact]
    public async Task A_lag_or_an_age_above_its_limit_makes_the_queue_degraded()
    {
        _test.Desk.Work = static (_, _, stop) => new ValueTask(Task.Delay(Timeout.Infinite, stop));
        var host = await StartAsync(static health => (health.MaxLagBytes, health.MaxUnreadAge) = (1, TimeSpan.Zero));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);

        // The only worker has the first order, so the second one stays unread.
        TestHost.Publish(host, 1, 2);
        await TestHost.UntilAsync(() => _test.Desk.Begun.Contains(1), "the first order");

        await AssertDegradedAsync(host, "bytes, more than 1");
        await AssertDegradedAsync(host, "The oldest unread message of 'shipping'");
    }

    [Fact]
    public async Task A_message_that_a_dead_process_holds_makes_the_queue_degraded()
    {
        using (var queue = MessageQueue.Open(_test.Orders))
        using (var producer = queue.OpenProducer<Order>())
        {
            producer.Publish(new Order { Id = 1 });
        }

        using (var process = ChildProcess.Start(nameof(Parts.HoldMessage), _test.Orders))
        {
            Assert.Equal("taken", process.Hear());
        }

        var host = _test.Build(static services =>
        {
            services.AddMessageQueue("orders", static queue => queue.Directory = "orders");
            services.AddHealthChecks().AddMessageQueues();
        });
        await host.StartAsync();
        await AssertDegradedAsync(host, "died with message");
    }

    [Fact]
    public async Task New_dead_letters_make_the_queue_degraded_until_they_are_removed()
    {
        _test.Desk.Work = static (_, _, _) => throw new InvalidOperationException("No.");
        var host = await StartAsync(configureHandler: static handler => handler.BreakAfter = null);
        TestHost.Publish(host, 1, 2);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).DeadLetters == 2, "the dead letters");

        await AssertDegradedAsync(host, "Dead letters of 'shipping' within the last 00:05:00: 2.");
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        letters.DropAll();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
    }

    [Fact]
    public async Task Dead_letters_from_before_the_window_do_not_make_the_queue_degraded()
    {
        var host = await StartAsync();
        using var letters = MessageQueue.Open(Path.Combine(_test.Orders, "dead", "shipping"));
        using var producer = letters.OpenProducer();
        producer.Publish([1], new MessageProperties { Time = DateTimeOffset.UtcNow.AddMinutes(-6) });
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);

        producer.Publish([2], new MessageProperties { Time = DateTimeOffset.UtcNow });
        await AssertDegradedAsync(host, "Dead letters of 'shipping' within the last 00:05:00: 1.");
    }

    [Fact]
    public async Task All_dead_letters_are_new_within_the_longest_window()
    {
        _test.Desk.Work = static (_, _, _) => throw new InvalidOperationException("No.");
        var host = await StartAsync(static health => health.DeadLetterWindow = TimeSpan.MaxValue, static handler => handler.BreakAfter = null);
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).DeadLetters == 1, "the dead letter");

        await AssertDegradedAsync(host, "Dead letters of 'shipping'");
    }

    [Fact]
    public async Task Dead_letters_that_cannot_be_read_are_named_and_do_not_hide_those_of_other_handlers()
    {
        var host = await StartAsync();
        MessageQueue.Open(Path.Combine(_test.Orders, "dead", "billing")).Dispose();
        await File.WriteAllBytesAsync(Path.Combine(_test.Orders, "dead", "billing", "control"), [.. Enumerable.Repeat((byte)0xFF, 1 << 16)]);
        using var letters = MessageQueue.Open(Path.Combine(_test.Orders, "dead", "shipping"));
        using var producer = letters.OpenProducer();
        producer.Publish([2], new MessageProperties { Time = DateTimeOffset.UtcNow });

        await AssertUnhealthyAsync(host, "The dead letters of 'billing' cannot be read: ");
        await AssertUnhealthyAsync(host, "Dead letters of 'shipping' within the last 00:05:00: 1.");
    }

    private static async Task<HealthReportEntry> CheckAsync(IHost host) =>
        (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["queue.orders"];

    private static Task AssertUnhealthyAsync(IHost host, string description) => AssertAsync(host, HealthStatus.Unhealthy, description);

    private static Task AssertDegradedAsync(IHost host, string description) => AssertAsync(host, HealthStatus.Degraded, description);

    private static async Task AssertAsync(IHost host, HealthStatus status, string description)
    {
        var entry = await CheckAsync(host);
        Assert.Contains(description, entry.Description, StringComparison.Ordinal);
        Assert.Equal(status, entry.Status);
    }

    private IHost Build(Action<MessageQueueHealthOptions>? configure = null, Action<MessageHandlerOptions>? configureHandler = null) => _test.Build(services =>
    {
        services.AddHealthChecks().AddMessageQueues(configure);
        services.AddMessageQueue("orders", static queue =>
        {
            queue.Directory = "orders";
            queue.Options.SegmentBytes = QueueGeometry.MinSegmentBytes;
        }).AddPublisher<Order>().AddHandler<OrderBufferedMessage, OrderHandler>("shipping", handler =>
        {
            (handler.RetryDelays, handler.BreakAfter, handler.BreakDuration) = ([], 1, TimeSpan.FromHours(1));
            configureHandler?.Invoke(handler);
        });
    });

    private async Task<IHost> StartAsync(Action<MessageQueueHealthOptions>? configure = null, Action<MessageHandlerOptions>? configureHandler = null)
    {
        var host = Build(configure, configureHandler);
        await host.StartAsync();
        return host;
    }
}
