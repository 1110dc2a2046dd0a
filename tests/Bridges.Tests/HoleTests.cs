using System.Diagnostics;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Holes in a stream that are filled late.</summary>
public sealed class HoleTests : BridgeFixture
{
    [Fact]
    public async Task A_hole_is_filled_also_if_the_missing_run_is_further_away_than_a_session_reads()
    {
        const int others = 10;
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source);

        // The broker has lost the second run. It comes again after many entries of another program.
        var stream = new FakeStream();
        Append(stream, 0, 1, 3);
        for (var i = 0; i < others; i++)
        {
            stream.Append(default, "a foreign entry"u8.ToArray());
        }

        Append(stream, 2, 3);
        await using var receiver = destination.ReceiveFrom(
            new SlowStream(stream), new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), StreamTimeout = TimeSpan.FromMilliseconds(200) });

        await UntilAsync(() => receiver.GetStatistics().Received == 30, "30 messages");
        Assert.Equal(Sequence(0, 30), Sequences(destination));
        Assert.Equal(others, receiver.GetStatistics().Foreign);
    }

    [Fact]
    public async Task Runs_in_another_order_are_published_also_if_none_of_them_comes_again()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 40);
        await ForwardAllAsync(source);

        var stream = new FakeStream();
        Append(stream, 0, 3, 2, 1, 4);
        await using var receiver = destination.ReceiveFrom(
            stream, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), StreamTimeout = TimeSpan.FromMilliseconds(100) });

        await UntilAsync(() => receiver.GetStatistics().Received == 40, "40 messages");
        Assert.Equal(Sequence(0, 40), Sequences(destination));
    }

    // A hole that is met later has the whole timeout, and no more.
    [Fact]
    public void A_time_is_left_out_only_of_the_holes_that_are_open_then()
    {
        var (first, second) = (Guid.NewGuid(), Guid.NewGuid());
        var holes = new StreamHoles(TimeSpan.FromSeconds(30));
        var end = new ChainPlace(1, 16);
        holes.Add(first, end, before: null);
        holes.LeaveOutSince(Stopwatch.GetTimestamp() - (3_600 * Stopwatch.Frequency));
        holes.Add(second, end, before: null);

        Assert.Equal(second, holes.First.Queue);
        Assert.True(holes.First.Rest <= holes.First.Timeout);
        holes.Fill(second, end);
        Assert.Equal(first, holes.First.Queue);
        Assert.True(holes.First.Rest > holes.First.Timeout);
    }

    private void Append(FakeStream stream, params int[] numbers) => stream.AppendAll(numbers.Select(number => Stream.Entries[number]));
}
