namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>The ranges of the options, as the host validates them.</summary>
public sealed class OptionTests
{
    private static readonly TimeSpan OneTick = TimeSpan.FromTicks(1);
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    [Fact]
    public void Options_of_a_forwarder_out_of_their_range_are_refused()
    {
        (ForwarderOptions Options, string Name)[] wrong =
        [
            (new() { BatchMessages = 0 }, nameof(ForwarderOptions.BatchMessages)),
            (new() { BatchBytes = 0 }, nameof(ForwarderOptions.BatchBytes)),
            (new() { BatchDelay = -OneTick }, nameof(ForwarderOptions.BatchDelay)),
            (new() { BatchDelay = Longest + OneTick }, nameof(ForwarderOptions.BatchDelay)),
            (new() { MaxInFlightRuns = 0 }, nameof(ForwarderOptions.MaxInFlightRuns)),
            (new() { MaxInFlightBytes = 0 }, nameof(ForwarderOptions.MaxInFlightBytes)),
            (new() { FirstRetryDelay = Millisecond - OneTick }, nameof(BridgeOptions.FirstRetryDelay)),
            (new() { FirstRetryDelay = 2 * Millisecond, MaxRetryDelay = (2 * Millisecond) - OneTick }, nameof(BridgeOptions.MaxRetryDelay)),
            (new() { MaxRetryDelay = Longest + OneTick }, nameof(BridgeOptions.MaxRetryDelay)),
        ];

        Assert.All(wrong, static row => Assert.Throws<ArgumentOutOfRangeException>(row.Name, () => row.Options.RequireValid()));
    }

    [Fact]
    public void Options_of_a_receiver_out_of_their_range_are_refused()
    {
        (ReceiverOptions Options, string Name)[] wrong =
        [
            (new() { JournalInterval = -OneTick }, nameof(ReceiverOptions.JournalInterval)),
            (new() { JournalInterval = Longest + OneTick }, nameof(ReceiverOptions.JournalInterval)),
            (new() { StreamTimeout = Millisecond - OneTick }, nameof(ReceiverOptions.StreamTimeout)),
            (new() { StreamTimeout = Longest + OneTick }, nameof(ReceiverOptions.StreamTimeout)),
            (new() { FirstRetryDelay = TimeSpan.Zero }, nameof(BridgeOptions.FirstRetryDelay)),
        ];

        Assert.All(wrong, static row => Assert.Throws<ArgumentOutOfRangeException>(row.Name, () => row.Options.RequireValid()));
    }

    [Fact]
    public void The_ends_of_the_ranges_and_the_defaults_are_accepted()
    {
        ForwarderOptions[] forwarders =
        [
            new(),
            new() { BatchMessages = 1, BatchBytes = 1, BatchDelay = TimeSpan.Zero, MaxInFlightRuns = 1, MaxInFlightBytes = 1, FirstRetryDelay = Millisecond, MaxRetryDelay = Millisecond },
            new() { BatchDelay = Longest, FirstRetryDelay = Longest, MaxRetryDelay = Longest },
        ];
        ReceiverOptions[] receivers = [new(), new() { JournalInterval = TimeSpan.Zero, StreamTimeout = Millisecond }, new() { JournalInterval = Longest, StreamTimeout = Longest }];

        Assert.All(forwarders, static options => Assert.True(new BridgeOptionsValidation<ForwarderOptions>().Validate("orders", options).Succeeded));
        Assert.All(receivers, static options => Assert.True(new BridgeOptionsValidation<ReceiverOptions>().Validate("orders", options).Succeeded));
    }

    [Fact]
    public void The_defaults_are_those_of_the_page()
    {
        var (forwarder, receiver) = (new ForwarderOptions(), new ReceiverOptions());

        Assert.Equal((256, 256 * 1024, TimeSpan.Zero, 128, 8L * 1024 * 1024), (forwarder.BatchMessages, forwarder.BatchBytes, forwarder.BatchDelay, forwarder.MaxInFlightRuns, forwarder.MaxInFlightBytes));
        Assert.Equal((null, OversizedMessages.Stop, DeletedMessages.Stop), (forwarder.DurableOnly, forwarder.OnTooLarge, forwarder.OnDeleted));
        Assert.Equal((TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(30)), (forwarder.FirstRetryDelay, forwarder.MaxRetryDelay));
        Assert.Equal((true, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(30)), (receiver.Verify, receiver.JournalInterval, receiver.StreamTimeout));
        Assert.True(receiver.Start.IsEarliest);
    }
}
