using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>A forwarder whose connection is lost or refused, and which waits longer than the test lasts before it tries again.</summary>
public sealed class LostConnectionTests : BridgeFixture
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    [Fact]
    public async Task Runs_of_a_connection_that_is_lost_are_no_longer_in_flight()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 10);
        var late = new LateStream();
        await using var forwarder = source.ForwardTo(late, new ForwarderOptions { FirstRetryDelay = Hour, MaxRetryDelay = Hour });
        await UntilAsync(() => late is { Runs: 2, Waits: 1 } && forwarder.GetStatistics().InFlightRuns == 2, "the schema and a run in flight");
        late.Fail();
        await UntilAsync(() => forwarder.GetStatistics().State == BridgeState.Retrying, "the failure");

        Assert.Equal((0, 0L), (forwarder.GetStatistics().InFlightRuns, forwarder.GetStatistics().Confirmed));
    }

    [Fact]
    public async Task A_connection_that_the_broker_refuses_is_not_a_refused_run()
    {
        using var source = Directories.Open("source");
        Stream.Refusal = new RunRefusedException("The server is loading its data.");
        Stream.Break();
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = Hour, MaxRetryDelay = Hour });
        await UntilAsync(() => forwarder.GetStatistics().State == BridgeState.Retrying, "the failure");

        Assert.Equal(0, forwarder.GetStatistics().Refused);
    }
}
