using System.Text.Json;

namespace BufferedMessages.Tool.Tests;

public class SampledQueueTests
{
    [Fact]
    public void A_retention_that_a_program_sets_later_is_in_the_next_sample()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1, new MessageQueueOptions { SegmentBytes = 65536 });
        using var queue = new SampledQueue(new ServedTarget(new Target(TargetKind.Queue, folder.PathOf("orders")), "orders"));
        Assert.True(queue.TryOpen());
        Assert.False(FactsOf(queue).TryGetProperty("retention", out _));

        MessageQueue.Open(folder.PathOf("orders"), new MessageQueueOptions { Retention = new QueueRetention { MaxBytes = 1 << 20 } }).Dispose();

        Assert.Equal(1 << 20, FactsOf(queue).GetProperty("retention").GetProperty("maxBytes").GetInt64());
    }

    private static JsonElement FactsOf(SampledQueue queue) => JsonDocument.Parse(queue.Sample()).RootElement.GetProperty("facts");
}
