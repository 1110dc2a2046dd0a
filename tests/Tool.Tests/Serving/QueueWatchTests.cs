using System.Text.Json;

namespace BufferedMessages.Tool.Tests;

public class QueueWatchTests
{
    [Fact]
    public void A_retention_that_a_program_sets_later_is_in_the_next_sample()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1, new MessageQueueOptions { SegmentBytes = 65536 });
        using var watch = new QueueWatch(new ServedTarget(new Target(TargetKind.Queue, folder.PathOf("orders")), "orders"));
        Assert.True(watch.TryOpen());
        Assert.False(FactsOf(watch).TryGetProperty("retention", out _));

        MessageQueue.Open(folder.PathOf("orders"), new MessageQueueOptions { Retention = new QueueRetention { MaxBytes = 1 << 20 } }).Dispose();

        Assert.Equal(1 << 20, FactsOf(watch).GetProperty("retention").GetProperty("maxBytes").GetInt64());
    }

    private static JsonElement FactsOf(QueueWatch watch) => JsonDocument.Parse(watch.Sample()).RootElement.GetProperty("facts");
}
