using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>The timers of a receiver. The runtime counts those of the whole process, so this test runs after all others.</summary>
[CollectionDefinition(nameof(ReceiverTimerTests), DisableParallelization = true)]
[Collection(nameof(ReceiverTimerTests))]
public sealed class ReceiverTimerTests : BridgeFixture
{
    // The next journal is due in an hour, and the receiver waits for that time beside the next entry.
    [Fact]
    public async Task A_receiver_keeps_no_timer_of_a_wait_that_is_over()
    {
        const int entries = 300;
        using var destination = Directories.Open("destination");
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { JournalInterval = TimeSpan.FromHours(1) });
        var before = Timer.ActiveCount;
        for (var i = 0; i < entries; i++)
        {
            var count = i + 1;
            Stream.Append(default, "a foreign entry"u8.ToArray());
            await UntilAsync(() => receiver.GetStatistics().Foreign == count, "the entry");
        }

        // A test that has ended may leave a few of its own.
        var kept = Timer.ActiveCount - before;
        Assert.True(kept < entries / 2, $"{kept} timers are kept.");
    }
}
