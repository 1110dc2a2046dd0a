using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

public class NearbyTests
{
    [Fact]
    public async Task A_mistyped_path_names_the_closest_and_lists_those_near_it()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        QueueOfOrders.Create(folder.PathOf("returns"), 1);

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("odrers"));

        Assert.Equal(2, run.Code);
        Assert.Contains($"Did you mean '{folder.PathOf("orders")}'?", run.Errors, StringComparison.Ordinal);
        Assert.Contains("\n  queue  returns", run.Errors, StringComparison.Ordinal);
        Assert.Empty(run.Output);
        Assert.False(Directory.Exists(folder.PathOf("odrers")));
    }

    [Fact]
    public async Task A_path_whose_folder_is_missing_says_where_it_ends()
    {
        using var folder = new TemporaryFolder();

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("shop/live/orders"));

        Assert.Equal(2, run.Code);
        Assert.Contains($"ends at the folder '{folder.Path}'", run.Errors, StringComparison.Ordinal);
    }

    [FileTheory("/proc/version")]
    [InlineData("orders")]
    [InlineData("orders/control")]
    public async Task A_queue_that_cannot_be_read_is_not_said_to_be_missing(string hidden)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        using var hiding = new HiddenPath(folder.PathOf(hidden));

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("orders"));

        Assert.Equal(2, run.Code);
        Assert.Contains($"'{folder.PathOf(hidden)}'", run.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("not a queue", run.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("does not exist", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_with_a_folder_of_the_same_name_as_a_control_file_is_not_a_queue()
    {
        using var folder = new TemporaryFolder();
        Directory.CreateDirectory(folder.PathOf("project/cache"));

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("project"));

        Assert.Equal(2, run.Code);
        Assert.Contains("is not a queue", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_path_through_a_file_does_not_exist()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.PathOf("file"), "");

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("file/orders"));

        Assert.Equal(2, run.Code);
        Assert.Contains("does not exist", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bare_name_means_shared_memory()
    {
        var name = $"tool-test-{Guid.NewGuid():n}";
        using (var queue = MessageQueue.OpenShared(name, new MessageQueueOptions { SegmentBytes = 65536 }))
        {
            using var producer = queue.OpenProducer<Shop.Order>();
            producer.Publish(new Shop.Order(7, null, []));
        }

        try
        {
            var tail = await ToolRun.InProcessAsync("tail", name, "--format", "{Id}");
            var list = await ToolRun.InProcessAsync("ls");

            Assert.Equal("7\n", tail.Output);
            Assert.Contains(name, list.Output, StringComparison.Ordinal);
        }
        finally
        {
            MessageQueue.Delete(MessageQueue.GetSharedPath(name));
        }
    }

    [Fact]
    public async Task A_cache_is_not_taken_for_a_queue()
    {
        using var folder = new TemporaryFolder();
        Caching.MessageCache.Open<string>(folder.PathOf("pages"), new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }).Dispose();

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("pages"));

        Assert.Equal(2, run.Code);
        Assert.Contains("is a cache; this command takes a queue", run.Errors, StringComparison.Ordinal);
    }
}
