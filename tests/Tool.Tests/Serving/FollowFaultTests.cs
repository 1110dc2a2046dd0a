using System.Text.Json;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues that a page follows, and that cannot be read on.</summary>
public class FollowFaultTests
{
    private const int RequiredFeaturesByte = 3;

    [Fact]
    public async Task A_record_of_a_newer_program_is_named_and_the_samples_go_on()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 2);
        QueueDirectory.Damage(Directory.GetFiles(folder.PathOf("orders"), "*.segment").Single(), positions[1] + RequiredFeaturesByte, 1);
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync($"path={Uri.EscapeDataString(folder.PathOf("orders"))}&follow={positions[0]}");

        var fault = await events.NextAsync("fault");

        Assert.Contains("Update the BufferedMessages package", fault.GetProperty("error").GetString(), StringComparison.Ordinal);
        await events.NextAsync("sample");
    }

    [Fact]
    public void Messages_that_were_deleted_since_the_last_one_of_a_page_are_counted_and_the_others_are_shown()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("ring"), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 65536, Slots = 2 });
        using var consumer = queue.OpenConsumer<RawMessage>("chart");
        using var producer = queue.OpenProducer();
        var (first, last) = (producer.Publish(new byte[8]), 0L);
        while (queue.GetStatistics().FirstPosition == 0)
        {
            last = producer.Publish(new byte[1000]);
            consumer.Seek(QueueStart.Latest);
        }

        using var follower = new Follower(queue.Path, QueueStart.At(first));
        using var answer = JsonDocument.Parse(follower.Read()!.Value);

        long[] shown = [.. answer.RootElement.GetProperty("records").EnumerateArray().Select(static record => record.GetProperty("position").GetInt64())];
        Assert.Equal(last, shown[^1]);
        Assert.InRange(answer.RootElement.GetProperty("skippedBytes").GetInt64(), queue.GetStatistics().FirstPosition - first, shown[0] - first);
    }
}
