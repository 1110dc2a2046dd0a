using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>The health of bridges in a real host.</summary>
public sealed class HealthTests : IDisposable
{
    private readonly BridgeHost _host = new();
    private readonly FakeStream _stream = new();

    public void Dispose() => _host.Dispose();

    [Fact]
    public async Task Connected_bridges_are_healthy_and_have_their_counts()
    {
        using var source = _host.Directory.Open("source");
        Publish(source, 0, 30);
        using var host = Build(_stream);
        await host.StartAsync();
        await UntilAsync(() => host.Services.GetRequiredKeyedService<MessageReceiver>("in").GetStatistics().Received == 30, "30 messages");
        await UntilAsync(() => host.Services.GetRequiredKeyedService<MessageForwarder>("out").GetStatistics().LagBytes == 0, "all are confirmed");

        var report = await CheckAsync(host);

        Assert.Equal(HealthStatus.Healthy, report.Status);
        Assert.Equal(["bridge.in", "bridge.out"], report.Entries.Keys.Order(StringComparer.Ordinal));
        Assert.StartsWith("Connected to stream orders since ", report.Entries["bridge.out"].Description, StringComparison.Ordinal);
        Assert.Equal((30L, 30L, 0L, 0L), Numbers(report, "bridge.out", "sent", "confirmed", "in_flight", "lag"));
        Assert.Equal((30L, 0L, 0L, 0L), Numbers(report, "bridge.in", "received", "duplicates", "holes", "foreign"));
        Assert.False(report.Entries["bridge.out"].Data.ContainsKey("received"));
        Assert.False(report.Entries["bridge.in"].Data.ContainsKey("sent"));
    }

    [Fact]
    public async Task A_bridge_that_connects_is_degraded()
    {
        var slow = new WatchedStream(_stream) { IsSlow = true };
        using var host = Build(slow);
        await host.StartAsync();

        var report = await CheckAsync(host);

        Assert.Equal(HealthStatus.Degraded, report.Status);
        Assert.StartsWith("Connecting to stream orders since ", report.Entries["bridge.in"].Description, StringComparison.Ordinal);
        slow.Accept();
        await UntilHealthIsAsync(host, HealthStatus.Healthy);
    }

    [Fact]
    public async Task A_bridge_without_its_broker_is_degraded_and_says_why()
    {
        _stream.Break();
        using var host = Build(_stream);
        await host.StartAsync();
        var (forwarder, receiver) = (host.Services.GetRequiredKeyedService<MessageForwarder>("out"), host.Services.GetRequiredKeyedService<MessageReceiver>("in"));
        await UntilAsync(
            () => (forwarder.GetStatistics().State, receiver.GetStatistics().State) == (BridgeState.Retrying, BridgeState.Retrying), "a failure of both");

        var report = await CheckAsync(host);

        Assert.Equal(HealthStatus.Degraded, report.Status);
        Assert.IsType<IOException>(report.Entries["bridge.out"].Exception);
        Assert.Matches("^Held up since [-0-9: ]+Z, and trying again with stream orders: The broker is down\\.$", report.Entries["bridge.out"].Description);
        _stream.Repair();
        await UntilHealthIsAsync(host, HealthStatus.Healthy);
    }

    [Fact]
    public async Task A_receiver_that_cannot_write_its_journal_names_that_and_not_the_broker()
    {
        using var source = _host.Directory.Open("source");
        Publish(source, 0, 1);
        var journal = Path.Combine(_host.Directory.PathOf("destination"), "bridges", "in.json.creating");
        Directory.CreateDirectory(journal);
        using var host = Build(_stream);
        await host.StartAsync();
        await UntilAsync(() => _host.Log.Of(2).Count >= 2, "failures");

        // It is connected for a moment in each attempt.
        string? description = null;
        await UntilAsync(
            () => (description = CheckAsync(host).GetAwaiter().GetResult().Entries["bridge.in"].Description)!.StartsWith("Held up since ", StringComparison.Ordinal),
            "a bridge that is held up");
        Assert.Contains(journal, description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Further_attempts_do_not_change_the_time_of_the_failure()
    {
        using var host = Build(_stream);
        await host.StartAsync();
        await UntilHealthIsAsync(host, HealthStatus.Healthy);
        var link = ((IBridge)host.Services.GetRequiredKeyedService<MessageForwarder>("out")).Loop.Link;
        var connected = link.Status;
        _stream.Break();
        await UntilAsync(() => link.State == BridgeState.Retrying, "a failure");
        var first = link.Status;
        await UntilAsync(() => link.Status.Failure != first.Failure, "another failure");

        Assert.Equal(first.Since, link.Status.Since);
        Assert.True(first.Since >= connected.Since);
    }

    [Fact]
    public async Task A_bridge_that_an_exception_stopped_is_unhealthy()
    {
        // The destination holds other messages than the stream.
        using var source = _host.Directory.Open("source");
        Publish(source, 0, 1);
        using (var destination = _host.Directory.Open("destination"))
        using (var producer = destination.OpenProducer())
        {
            producer.Publish("bytes"u8);
        }

        using var host = Build(_stream);
        await host.StartAsync();
        await UntilHealthIsAsync(host, HealthStatus.Unhealthy);

        var report = await CheckAsync(host);
        Assert.Equal(HealthStatus.Healthy, report.Entries["bridge.out"].Status);
        Assert.Equal(HealthStatus.Unhealthy, report.Entries["bridge.in"].Status);
        var cause = Assert.IsType<SchemaMismatchException>(report.Entries["bridge.in"].Exception);
        Assert.Matches("^Stopped at [-0-9: ]+Z: ", report.Entries["bridge.in"].Description);
        Assert.EndsWith(cause.Message, report.Entries["bridge.in"].Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_closed_bridge_is_unhealthy()
    {
        using var host = Build(_stream);
        await host.StartAsync();
        await host.StopAsync();

        var report = await CheckAsync(host);

        Assert.Equal(HealthStatus.Unhealthy, report.Status);
        Assert.StartsWith("Closed at ", report.Entries["bridge.out"].Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Checks_can_be_added_before_the_bridges_and_have_tags()
    {
        using var host = _host.Build(services =>
        {
            services.AddHealthChecks().AddMessageBridges(["ready"]);
            services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => _stream));
        });
        await host.StartAsync();

        var ready = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(static check => check.Tags.Contains("ready"));
        var live = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(static check => check.Tags.Contains("live"));

        Assert.Equal("bridge.out", Assert.Single(ready.Entries).Key);
        Assert.Empty(live.Entries);
    }

    [Fact]
    public async Task A_second_call_adds_its_tags_to_the_checks_of_the_first()
    {
        using var host = _host.Build(services =>
        {
            services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => _stream));
            services.AddHealthChecks().AddMessageBridges(["ready"]).AddMessageBridges(["live"]);
        });
        await host.StartAsync();

        var check = Assert.Single((await CheckAsync(host)).Entries);
        Assert.Equal("bridge.out", check.Key);
        Assert.Equal(["live", "ready"], check.Value.Tags.Order(StringComparer.Ordinal));
    }

    private static Task<HealthReport> CheckAsync(IHost host) => host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();

    private static Task UntilHealthIsAsync(IHost host, HealthStatus status) => UntilAsync(() => CheckAsync(host).GetAwaiter().GetResult().Status == status, $"{status}");

    private static (object, object, object, object) Numbers(HealthReport report, string check, string one, string two, string three, string four)
    {
        var data = report.Entries[check].Data;
        return (data[one], data[two], data[three], data[four]);
    }

    private IHost Build(IMessageStream stream) => _host.Build(services =>
    {
        services.AddMessageBridge("out", bridge => bridge.FromQueue("source").ToStream(_ => stream).Configure(static options => options.FirstRetryDelay = TimeSpan.FromMilliseconds(1)));
        services.AddMessageBridge("in", bridge => bridge.FromStream(_ => stream).ToQueue("destination").Configure(static options => options.FirstRetryDelay = TimeSpan.FromMilliseconds(1)));
        services.AddHealthChecks().AddMessageBridges();
    });
}
