using System.Text.Json;
using BufferedMessages.Caching;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

public sealed class LsTests : IDisposable
{
    private const int ParticipantSlotsOffset = 56;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(ParticipantSlotsOffset, 1, "damaged", 1)]
    [InlineData(QueueFormat.ControlVersionOffset, 3, "unreadable", 2)]
    public async Task A_queue_that_cannot_be_opened_has_a_word_for_programs_and_an_exit_code(int offset, byte value, string word, int code)
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);
        QueueOfOrders.Create(_folder.PathOf("returns"), 1);
        QueueDirectory.Damage(_folder.PathOf("orders/control"), offset, value);

        var json = await ToolRun.InProcessAsync("ls", _folder.Path, "--json");
        var table = await ToolRun.InProcessAsync("ls", _folder.Path);

        var (orders, returns) = (JsonDocument.Parse(json.Lines[0]).RootElement, JsonDocument.Parse(json.Lines[1]).RootElement);
        Assert.True(orders.GetProperty(word).GetBoolean());
        Assert.Contains(_folder.PathOf("orders/control"), orders.GetProperty("details").GetString(), StringComparison.Ordinal);
        Assert.False(returns.TryGetProperty("damaged", out _) || returns.TryGetProperty("unreadable", out _));
        Assert.Equal((code, ""), (json.Code, json.Errors));
        Assert.Equal((code, ""), (table.Code, table.Errors));
    }

    [Theory]
    [InlineData(0, 0, "damaged", 1)]
    [InlineData(8, 2, "unreadable", 2)]
    public async Task A_cache_that_cannot_be_opened_has_a_word_for_programs_and_an_exit_code(int offset, byte value, string word, int code)
    {
        MessageCache.Open<int>(_folder.PathOf("pages"), new MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }).Dispose();
        QueueDirectory.Damage(_folder.PathOf("pages/cache"), offset, value);

        var json = await ToolRun.InProcessAsync("ls", _folder.Path, "--json");

        var pages = JsonDocument.Parse(Assert.Single(json.Lines)).RootElement;
        Assert.Equal("cache", pages.GetProperty("kind").GetString());
        Assert.True(pages.GetProperty(word).GetBoolean());
        Assert.Contains(_folder.PathOf("pages/cache"), pages.GetProperty("details").GetString(), StringComparison.Ordinal);
        Assert.Equal((code, ""), (json.Code, json.Errors));
    }

    [Fact]
    public void A_queue_that_is_deleted_after_it_was_found_has_no_line()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);
        var target = Assert.Single(TargetListing.In(_folder.Path, isRecursive: false, CancellationToken.None));
        Assert.True(MessageQueue.Delete(target.Path));

        Assert.Null(TargetSummary.Of(target));
    }
}
