using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>Bridges in a real host.</summary>
public sealed class HostTests : IDisposable
{
    private readonly BridgeHost _host = new();
    private readonly FakeStream _stream = new();

    public void Dispose() => _host.Dispose();

    [Fact]
    public async Task Bridges_run_from_the_start_of_the_host_to_its_stop()
    {
        using var source = _host.Directory.Open("source");
        using var destination = _host.Directory.Open("destination");
        Publish(source, 0, 100);
        using var host = _host.Build(AddBoth);
        var services = host.Services;
        await host.StartAsync();
        await UntilAsync(() => services.GetRequiredKeyedService<MessageReceiver>("in").GetStatistics().Received == 100, "100 messages");
        await UntilAsync(() => services.GetRequiredKeyedService<MessageForwarder>("out").GetStatistics().LagBytes == 0, "all are confirmed");

        await host.StopAsync();

        Assert.Equal(Enumerable.Range(0, 100).Select(static i => (long)i), Sequences(destination));
        Assert.Equal(BridgeState.Stopped, services.GetRequiredKeyedService<MessageForwarder>("out").GetStatistics().State);
        Assert.Equal(BridgeState.Stopped, services.GetRequiredKeyedService<MessageReceiver>("in").GetStatistics().State);
        await using var next = source.ForwardTo(_stream, new ForwarderOptions { Name = "out" });
        Assert.Equal(0, next.GetStatistics().LagBytes);
    }

    [Fact]
    public async Task The_services_close_bridge_stream_and_queue()
    {
        var watched = new WatchedStream(_stream);
        MessageForwarder forwarder;
        await using (var services = new ServiceCollection().AddMessageBridge("out", bridge => bridge.FromQueue(_host.Directory.PathOf("source")).ToStream(_ => watched)).BuildServiceProvider())
        {
            Assert.False(Directory.Exists(_host.Directory.PathOf("source")));
            forwarder = services.GetRequiredKeyedService<MessageForwarder>("out");
            await UntilAsync(() => forwarder.GetStatistics().State == BridgeState.Connected, "it is connected");
            Assert.False(watched.IsDisposed);
        }

        Assert.True(watched.IsDisposed);
        Assert.True(forwarder.Completion.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task The_services_close_stream_and_queue_also_if_a_callback_of_the_stream_throws_when_the_bridge_is_closed()
    {
        var stopping = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var held = new HeldStream
        {
            Stopping = () =>
            {
                stopping.SetResult();
                throw new FormatException("A callback fails.");
            },
        };
        var watched = new WatchedStream(held);
        var services = new ServiceCollection().AddMessageBridge("out", bridge => bridge.FromQueue(_host.Directory.PathOf("source")).ToStream(_ => watched)).BuildServiceProvider();
        services.GetRequiredKeyedService<ServiceBridge>("out").Open();
        await UntilAsync(() => held.Connections == 1, "a connection");

        var closing = services.DisposeAsync().AsTask();
        await stopping.Task;
        held.Fail();

        await Assert.ThrowsAsync<AggregateException>(() => closing);
        Assert.True(watched.IsDisposed);
    }

    [Fact]
    public async Task A_stop_of_the_host_leaves_the_stream_to_the_services()
    {
        var watched = new WatchedStream(_stream);
        var host = _host.Build(services => services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => watched)));
        await host.StartAsync();
        await host.StopAsync();
        Assert.False(watched.IsDisposed);

        host.Dispose();
        Assert.True(watched.IsDisposed);
    }

    [Fact]
    public async Task A_stop_whose_time_is_over_is_not_a_failure_of_the_bridges()
    {
        var held = new HeldStream();
        using var host = _host.Build(services => services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => held)));
        await host.StartAsync();
        await UntilAsync(() => held.Connections == 1, "a connection");
        var bridges = host.Services.GetServices<IHostedService>().OfType<HostedBridges>().Single();

        await bridges.StopAsync(new CancellationToken(canceled: true));

        held.Fail();
        await host.Services.GetRequiredKeyedService<MessageForwarder>("out").Completion;
    }

    [Fact]
    public async Task A_bridge_is_found_by_its_name_and_has_it()
    {
        using var host = _host.Build(AddBoth);
        await host.StartAsync();

        var forwarder = host.Services.GetRequiredKeyedService<MessageForwarder>("out");
        Assert.Equal("out", forwarder.Name);
        Assert.Equal("in", host.Services.GetRequiredKeyedService<MessageReceiver>("in").Name);
        Assert.Same(forwarder, host.Services.GetRequiredKeyedService<MessageForwarder>("out"));
        Assert.Null(host.Services.GetService<MessageForwarder>());
        Assert.Null(host.Services.GetKeyedService<MessageReceiver>("out"));
    }

    [Fact]
    public async Task A_stream_can_be_made_of_services()
    {
        using var host = _host.Build(services => services.AddSingleton(_stream).AddMessageBridge("in", static bridge => bridge.FromStream(static provider => provider.GetRequiredService<FakeStream>()).ToQueue("queue")));
        await host.StartAsync();
        await UntilAsync(() => _stream.Connections == 1, "a connection");
    }

    [Fact]
    public async Task A_queue_is_created_with_its_options()
    {
        using var host = _host.Build(services => services.AddMessageBridge("out", bridge => bridge.FromQueue("ring", new MessageQueueOptions { Mode = QueueMode.Bounded }).ToStream(_ => _stream)));
        await host.StartAsync();

        using var queue = _host.Directory.Open("ring");
        Assert.Equal(QueueMode.Bounded, queue.Mode);
    }

    [Fact]
    public async Task Options_come_from_code_and_from_the_configuration()
    {
        using var source = _host.Directory.Open("source");
        Publish(source, 0, 12);
        using var host = _host.Build(
            services => services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => _stream).Configure(static options => options.BatchMessages = 100).BindConfiguration("Bridges:Out")),
            ("Bridges:Out:BatchMessages", "4"),
            ("Bridges:Out:FirstRetryDelay", "00:00:02"),
            ("Bridges:Out:OnTooLarge", "DeadLetter"),
            ("Bridges:Out:Name", "other"));
        await host.StartAsync();

        var forwarder = host.Services.GetRequiredKeyedService<MessageForwarder>("out");
        await UntilAsync(() => forwarder.GetStatistics().Confirmed == 12, "12 messages");
        Assert.Equal([4, 4, 4], _stream.Runs.Select(static run => run.Count));
        Assert.Equal("other", forwarder.Name);
        var options = host.Services.GetRequiredService<IOptionsMonitor<ForwarderOptions>>().Get("out");
        Assert.Equal((TimeSpan.FromSeconds(2), OversizedMessages.DeadLetter, default), (options.FirstRetryDelay, options.OnTooLarge, options.Start));
    }

    [Fact]
    public async Task Options_of_a_receiver_come_from_the_configuration()
    {
        using var host = _host.Build(
            services => services.AddMessageBridge("in", bridge => bridge.FromStream(_ => _stream).ToQueue("queue").BindConfiguration("Bridges:In")),
            ("Bridges:In:Verify", "false"),
            ("Bridges:In:JournalInterval", "00:00:03"),
            ("Bridges:In:OnDeleted", "Skip"));
        await host.StartAsync();

        var options = host.Services.GetRequiredService<IOptionsMonitor<ReceiverOptions>>().Get("in");
        Assert.Equal((false, TimeSpan.FromSeconds(3), DeletedMessages.Skip, "in", default), (options.Verify, options.JournalInterval, options.OnDeleted, options.Name, options.Start));
    }

    [Theory]
    [InlineData("Latest")]
    [InlineData("earliest")]
    [InlineData("17")]
    [InlineData("3-4096")]
    [InlineData("2026-11-23T04:05Z")]
    public void The_start_of_a_receiver_comes_from_the_configuration(string start)
    {
        var expected = start switch
        {
            "Latest" => StreamStart.Latest,
            "earliest" => StreamStart.Earliest,
            "17" => StreamStart.At(new StreamOffset(17)),
            "3-4096" => StreamStart.At(new StreamOffset(3, 4096)),
            _ => StreamStart.At(new DateTimeOffset(2026, 11, 23, 4, 5, 0, TimeSpan.Zero)),
        };
        using var host = _host.Build(
            services => services.AddMessageBridge("in", bridge => bridge.FromStream(_ => _stream).ToQueue("queue").BindConfiguration("Bridges:In")),
            ("Bridges:In:Start", start));

        Assert.Equal(expected, host.Services.GetRequiredService<IOptionsMonitor<ReceiverOptions>>().Get("in").Start);
    }

    [Fact]
    public async Task A_start_in_the_configuration_that_is_none_stops_the_host()
    {
        using var host = _host.Build(
            services => services.AddMessageBridge("in", bridge => bridge.FromStream(_ => _stream).ToQueue("queue").BindConfiguration("Bridges:In")),
            ("Bridges:In:Start", "Beginning"));

        var exception = await Assert.ThrowsAnyAsync<Exception>(() => host.StartAsync());
        Assert.Contains("'Beginning' is not a place in a stream.", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_with_wrong_options_does_not_start_and_opens_nothing()
    {
        using var host = _host.Build(services => services
            .AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => _stream).Configure(static options => options.BatchMessages = 0))
            .AddMessageBridge("in", bridge => bridge.FromStream(_ => _stream).ToQueue("queue").Configure(static options => options.JournalInterval = TimeSpan.FromSeconds(-1)))
            .AddMessageBridge("deleted", bridge => bridge.FromStream(_ => _stream).ToQueue("queue").Configure(static options => options.OnDeleted = (DeletedMessages)7))
            .AddMessageBridge("large", bridge => bridge.FromQueue("fourth").ToStream(_ => _stream).Configure(static options => options.OnTooLarge = (OversizedMessages)7))
            .AddMessageBridge("a/b", bridge => bridge.FromQueue("third").ToStream(_ => _stream)));

        var exception = await Assert.ThrowsAnyAsync<Exception>(() => host.StartAsync());

        var faults = (exception is AggregateException all ? all.InnerExceptions : [exception]).SelectMany(static fault => Assert.IsType<OptionsValidationException>(fault).Failures).ToList();
        Assert.Contains(faults, static fault => fault.StartsWith("The options of the bridge 'out' are invalid. BatchMessages ('0') must be", StringComparison.Ordinal));
        Assert.Contains(faults, static fault => fault.StartsWith("The options of the bridge 'in' are invalid. JournalInterval ('-00:00:01') must be", StringComparison.Ordinal));
        Assert.Contains(faults, static fault => fault.StartsWith("The options of the bridge 'deleted' are invalid. It must be Stop or Skip. (Parameter 'OnDeleted')", StringComparison.Ordinal));
        Assert.Contains(faults, static fault => fault.StartsWith("The options of the bridge 'large' are invalid. It must be Stop or DeadLetter. (Parameter 'OnTooLarge')", StringComparison.Ordinal));
        Assert.Contains(faults, static fault => fault.StartsWith("The options of the bridge 'a/b' are invalid. 'a/b' cannot be the name of a bridge", StringComparison.Ordinal));
        Assert.Empty(Directory.EnumerateFileSystemEntries(_host.Directory.PathOf("")));
    }

    [Fact]
    public async Task A_host_does_not_start_while_another_has_its_bridge()
    {
        using var source = _host.Directory.Open("source");
        await using var other = source.ForwardTo(_stream, new ForwarderOptions { Name = "out" });
        using var host = _host.Build(AddBoth);

        await Assert.ThrowsAsync<QueueInUseException>(() => host.StartAsync());

        var line = Assert.Single(_host.Log.Of(8));
        Assert.Equal((LogLevel.Error, $"Bridge out of the queue in {source.Path} cannot be opened."), (line.Level, line.Text));
        Assert.IsType<QueueInUseException>(line.Cause);
    }

    [Fact]
    public async Task A_stream_that_cannot_be_created_stops_the_host()
    {
        using var host = _host.Build(static services => services.AddMessageBridge("out", static bridge => bridge.FromQueue("source").ToStream(static _ => throw new UriFormatException("The address is wrong."))));

        await Assert.ThrowsAsync<UriFormatException>(() => host.StartAsync());
    }

    [Fact]
    public void Two_bridges_of_a_name_are_refused()
    {
        var services = new ServiceCollection().AddMessageBridge("orders", bridge => bridge.FromQueue("source").ToStream(_ => _stream));

        var again = Assert.Throws<InvalidOperationException>(() => services.AddMessageBridge("orders", bridge => bridge.FromStream(_ => _stream).ToQueue("queue")));
        var twice = Assert.Throws<InvalidOperationException>(() => services.AddMessageBridge("twice", bridge =>
        {
            bridge.FromQueue("source").ToStream(_ => _stream);
            bridge.FromQueue("source").ToStream(_ => _stream);
        }));

        Assert.Equal("A bridge 'orders' is registered already. Give one of the two another name.", again.Message);
        Assert.Contains("'twice' is registered already", twice.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_bridge_with_one_end_is_refused()
    {
        var exception = Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddMessageBridge("orders", static bridge => bridge.FromQueue("source")));

        Assert.Equal("An end of the bridge 'orders' is missing. Call FromQueue and then ToStream, or FromStream and then ToQueue.", exception.Message);
        Assert.Throws<ArgumentException>(() => new ServiceCollection().AddMessageBridge("orders", static bridge => bridge.FromQueue(" ")));
        Assert.Throws<ArgumentException>(() => new ServiceCollection().AddMessageBridge("", static bridge => bridge.FromQueue("source")));
    }

    [Fact]
    public async Task The_log_says_that_a_bridge_is_connected_and_closed()
    {
        using var host = _host.Build(services => services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => _stream)));
        await host.StartAsync();
        await UntilAsync(() => _host.Log.Of(1).Count == 1, "the line");
        await host.StopAsync();

        var directory = _host.Directory.PathOf("source");
        Assert.Equal($"Bridge out of the queue in {directory} is connected to stream orders.", Assert.Single(_host.Log.Of(1)).Text);
        Assert.Equal($"Bridge out of the queue in {directory} is closed.", Assert.Single(_host.Log.Of(4)).Text);
    }

    [Fact]
    public async Task A_bridge_that_an_exception_stops_is_logged_and_the_host_goes_on()
    {
        _stream.MaxBodyBytes = 1;
        using var source = _host.Directory.Open("source");
        using var host = _host.Build(AddBoth);
        await host.StartAsync();
        Publish(source, 0, 1);
        await UntilAsync(() => _host.Log.Of(3).Count == 1, "the line");

        Assert.IsType<MessageTooLargeException>(Assert.Single(_host.Log.Of(3)).Cause);
        Assert.False(host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.IsCancellationRequested);
        Assert.NotEqual(BridgeState.Stopped, host.Services.GetRequiredKeyedService<MessageReceiver>("in").GetStatistics().State);
        await host.StopAsync();
    }

    private void AddBoth(IServiceCollection services) => services
        .AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => _stream))
        .AddMessageBridge("in", bridge => bridge.FromStream(_ => _stream).ToQueue("destination"));
}
