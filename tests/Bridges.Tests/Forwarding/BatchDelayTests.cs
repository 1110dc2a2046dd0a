using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>A forwarder whose incomplete run waits for more messages, longer than the test lasts.</summary>
public sealed class BatchDelayTests : BridgeFixture
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static readonly ForwarderOptions Patient = new() { BatchMessages = 10, BatchDelay = Hour, FirstRetryDelay = Hour, MaxRetryDelay = Hour };

    private readonly LateStream _late = new();

    [Fact]
    public async Task A_run_that_waits_for_more_messages_does_not_hold_up_the_commit_of_the_run_before_it()
    {
        using var source = Directories.Open("source");
        await using var forwarder = await ForwardUntilARunWaitsAsync(source);
        _late.Confirm(_late.Runs);

        await UntilAsync(() => forwarder.GetStatistics() is { Confirmed: 20, InFlightRuns: 0 }, "the commit of the second run");
        Assert.Equal(20, forwarder.GetStatistics().Sent);
    }

    [Fact]
    public async Task A_connection_that_is_lost_while_a_run_waits_for_more_messages_is_noticed()
    {
        using var source = Directories.Open("source");
        await using var forwarder = await ForwardUntilARunWaitsAsync(source);
        _late.Fail();

        await UntilAsync(() => forwarder.GetStatistics() is { State: BridgeState.Retrying, Failure: IOException }, "the failure");
        Assert.Equal(20, forwarder.GetStatistics().Sent);
    }

    // Two runs are complete. The third one has a message and waits for nine more, while the second one is in flight.
    private async Task<MessageForwarder> ForwardUntilARunWaitsAsync(MessageQueue source)
    {
        Publish(source, 0, 21);
        var forwarder = source.ForwardTo(_late, Patient);
        await UntilAsync(() => _late is { Runs: 2, Waits: 1 }, "the schema and the first run");
        _late.Confirm(2);
        await UntilAsync(() => _late is { Runs: > 2, Waits: 2 }, "the second run, and a wait for its confirmation");
        return forwarder;
    }
}
