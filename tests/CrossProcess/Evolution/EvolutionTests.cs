using System.Globalization;

namespace BufferedMessages.CrossProcess.Evolution;

/// <summary>Programs of two versions at work on one queue at the same time.</summary>
public sealed class EvolutionTests : IDisposable
{
    private const int Trades = 20_000;

    private readonly QueueDirectory _directory = new();
    private readonly List<Peer> _peers = [];

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _directory.Dispose();
    }

    [Theory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void Producers_and_consumers_of_both_versions_work_together(QueueMode mode)
    {
        using var queue = Open(mode);
        var consumers = new List<Peer>
        {
            Start(nameof(EvolutionParts.ReadTrades), "1", "old", "all"),
            Start(nameof(EvolutionParts.ReadTrades), "2", "new", "all"),
            Start(nameof(EvolutionParts.ReadTrades), "1", "both", "group"),
            Start(nameof(EvolutionParts.ReadTrades), "2", "both", "group"),
        };
        consumers.ForEach(consumer => Assert.Equal("ready", consumer.Hear()));
        var producers = Enumerable.Range(0, 4).Select(i => Start(nameof(EvolutionParts.PublishTrades), i % 2 == 0 ? "1" : "2", $"{i * 1_000_000}", $"{Trades}")).ToList();
        producers.ForEach(producer => Assert.Equal("ready", producer.Hear()));
        producers.ForEach(producer => Assert.Equal("published", producer.Hear()));
        using (var last = queue.OpenProducer<Version1.Trade>())
        {
            last.Publish(new Version1.Trade { Id = EvolutionParts.End });
            last.Publish(new Version1.Trade { Id = EvolutionParts.End });
        }

        var totals = consumers.ConvertAll(consumer => TotalsOf(consumer.Hear()));
        var expected = (4L * Trades, (6_000_000L * Trades) + (4L * Trades * (Trades - 1) / 2));
        Assert.Equal(expected, totals[0]);
        Assert.Equal(expected, totals[1]);
        Assert.Equal(expected, (totals[2].Count + totals[3].Count, totals[2].Sum + totals[3].Sum));
    }

    [Theory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void A_version_that_contradicts_a_later_one_is_refused_though_it_goes_with_the_first(QueueMode mode)
    {
        using var queue = Open(mode);
        queue.OpenProducer<Version1.Trade>().Dispose();
        using var newer = Peer.Start(nameof(EvolutionParts.PublishTrades), _directory.Queue, "2", "1000000", "1");
        Assert.Equal("ready", newer.Hear());
        Assert.Equal("published", newer.Hear());
        var before = File.ReadAllBytes(Path.Combine(_directory.Queue, "control"))[..4096];
        using var third = Peer.Start(nameof(EvolutionParts.OpenVersion3), _directory.Queue);

        var answer = third.Hear();

        Assert.Contains("'2 f64 Price'", answer, StringComparison.Ordinal);
        Assert.Contains("'2 i32 Quantity'", answer, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(Path.Combine(_directory.Queue, "control"))[..4096]);
    }

    private Peer Start(string part, params ReadOnlySpan<string> arguments)
    {
        var peer = Peer.Start(part, [_directory.Queue, .. arguments]);
        _peers.Add(peer);
        return peer;
    }

    private MessageQueue Open(QueueMode mode) =>
        MessageQueue.Open(_directory.Queue, new MessageQueueOptions { Mode = mode, SegmentBytes = Parts.SegmentBytes });

    private static (long Count, long Sum) TotalsOf(string? line)
    {
        var numbers = line?.Split(' ') ?? [];
        Assert.True(numbers.Length == 2, line);
        return (long.Parse(numbers[0], CultureInfo.InvariantCulture), long.Parse(numbers[1], CultureInfo.InvariantCulture));
    }
}
