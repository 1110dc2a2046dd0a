using System.Diagnostics;
using Xunit.Abstractions;

namespace BufferedMessages.Tool.Tests;

/// <summary>The cost of a page for the producer of the queue that it shows. BUFFEREDMESSAGES_MEASURE=1 measures it, on a machine that does nothing else.</summary>
public class ServeCostTests(Browser browser, ITestOutputHelper output) : IClassFixture<Browser>
{
    private const int Turns = 5;
    private const int MessageBytes = 100;
    private const double MaxLoss = 0.03;

    private static readonly TimeSpan TurnTime = TimeSpan.FromSeconds(3);

    [MeasurementFact]
    public async Task A_page_over_a_queue_at_full_speed_costs_its_producer_little()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("ticks"), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 1 << 20 });
        using var producer = queue.OpenProducer();
        List<double> without = [], with = [], following = [];
        Rate(producer);
        for (var turn = 0; turn < Turns; turn++)
        {
            without.Add(Rate(producer));
            await using var served = await ServedPage.StartAsync(folder.Path);
            await using var tab = await browser.OpenAsync(new Uri(served.Address, $"#/queue?path={Uri.EscapeDataString(queue.Path)}"));
            await tab.SeeAsync("#tile-rate .about", "/s");
            with.Add(Rate(producer));
            await tab.Page.ClickAsync("#follow");
            await tab.SeeAsync("#messages-note", "Waiting");
            following.Add(Rate(producer));
            await tab.SeeAsync("#messages-note", "came too fast");
        }

        output.WriteLine($"messages/s without a page {Text(without)}, with one {Text(with)}, following {Text(following)}");
        Assert.InRange(1 - (Median(with) / Median(without)), -1, MaxLoss);
    }

    private static double Rate(MessageProducer producer)
    {
        Span<byte> message = stackalloc byte[MessageBytes];
        var count = 0L;
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < TurnTime)
        {
            for (var i = 0; i < 1000; i++)
            {
                producer.Publish(message);
            }

            count += 1000;
        }

        return count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static double Median(List<double> rates) => rates.Order().ElementAt(rates.Count / 2);

    private static string Text(List<double> rates) => $"{Median(rates):N0} ({rates.Min():N0} to {rates.Max():N0})";
}
