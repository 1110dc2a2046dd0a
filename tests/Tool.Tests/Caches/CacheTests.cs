using System.Text.Json;
using BufferedMessages.Caching;
using Shop;

namespace BufferedMessages.Tool.Tests;

public class CacheTests
{
    private const int ValueBytes = 100_000;

    [Fact]
    public void A_listing_keeps_keys_and_no_values_in_memory()
    {
        using var folder = new TemporaryFolder();
        const int Count = 200;
        Fill(folder.PathOf("pages"), Count);
        var before = GC.GetAllocatedBytesForCurrentThread();

        using var cache = CacheListing.Of(folder.PathOf("pages"), CancellationToken.None);

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(Count, cache.Entries.Count);
        Assert.All(cache.Entries, static entry => Assert.Equal(ValueBytes, entry.ValueBytes));
        Assert.True(allocated < Count * ValueBytes / 4, $"{allocated:N0} bytes for values of {Count * ValueBytes:N0}");
    }

    [Fact]
    public async Task A_cache_of_several_types_is_not_compared_by_one_that_nobody_chose()
    {
        using var folder = new TemporaryFolder();
        using (var cache = Open(folder.PathOf("pages")))
        {
            cache.Set("order", new Order(41, "rush", []));
            cache.Set("size", new Measured(1, 2.5));
        }

        var all = await ToolRun.InProcessAsync("schema", folder.PathOf("pages"), "--json");
        File.WriteAllText(folder.PathOf("first.schema"), (await ToolRun.InProcessAsync("schema", folder.PathOf("pages"), "--version", "1")).Output);
        var several = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("first.schema"), folder.PathOf("pages"));
        var same = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("first.schema"), folder.PathOf("first.schema"));

        Assert.Equal((2, 0), (all.Lines.Length, same.Code));
        Assert.Equal((2, ""), (several.Code, several.Output));
        Assert.Contains("is a cache with 2 schemas", several.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_gone_when_it_is_looked_at_is_not_counted()
    {
        using var folder = new TemporaryFolder();
        Fill(folder.PathOf("pages"), 1);

        // No path of .NET leads to such a file, which is listed all the same.
        Assert.Empty(await Shell.RunAsync(folder.Path, "echo > \"pages/$(printf 'b\\377')\""));
        var info = await ToolRun.InProcessAsync("info", folder.PathOf("pages"), "--json");
        var list = await ToolRun.InProcessAsync("ls", folder.PathOf("pages"), "--json");
        Assert.Empty(await Shell.RunAsync(folder.Path, "rm pages/b*"));

        Assert.Equal((0, 0), (info.Code, list.Code));
        Assert.Equal(JsonDocument.Parse(info.Output).RootElement.GetProperty("diskBytes").GetInt64(), JsonDocument.Parse(list.Output).RootElement.GetProperty("bytes").GetInt64());
    }

    [Fact]
    public async Task Entries_are_listed_with_their_values_in_the_order_of_their_keys()
    {
        using var folder = new TemporaryFolder();
        Fill(folder.PathOf("pages"), 3);
        using (var cache = Open(folder.PathOf("pages")))
        {
            cache.Set("a", new Order(41, "rush", []));
            cache.Set("b", "old"u8);
            cache.Set("b", "new"u8);
            cache.Set("c", "gone"u8);
            cache.Remove("c");
        }

        var text = await ToolRun.InProcessAsync("cache", "ls", folder.PathOf("pages"), "--values");
        var json = await ToolRun.InProcessAsync("cache", "ls", folder.PathOf("pages"), "--values", "--json");

        Assert.Equal(["a", "b", "key 1", "key 2", "key 3"], json.Lines.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("key").GetString()));
        Assert.Equal("{\"key\":\"a\",\"bytes\":32,\"schema\":\"Shop.Order\",\"message\":{\"Id\":41,\"Note\":\"rush\",\"Lines\":[]}}", json.Lines[0]);
        Assert.Equal($"{{\"key\":\"b\",\"bytes\":3,\"value\":\"{Convert.ToBase64String("new"u8)}\"}}", json.Lines[1]);
        Assert.All(json.Lines[2..], static line => Assert.Equal(ValueBytes, JsonDocument.Parse(line).RootElement.GetProperty("value").GetBytesFromBase64().Length));
        Assert.Equal(["a  {\"Id\":41,\"Note\":\"rush\",\"Lines\":[]}", $"b  {Convert.ToBase64String("new"u8)}"], text.Lines[..2]);
    }

    [Fact]
    public async Task A_message_file_is_verified_by_the_schema_of_a_cache_that_it_matches()
    {
        using var folder = new TemporaryFolder();
        using (var cache = Open(folder.PathOf("pages")))
        {
            cache.Set("order", new Order(41, "rush", []));
            cache.Set("measure", new Measured(1, 0.5));
        }

        new Order(7, "a", [new OrderLine("Lamp", 2)]).WriteTo(folder.PathOf("order.message"));
        new Measured(2, 1.5).WriteTo(folder.PathOf("measure.message"));

        var order = await ToolRun.InProcessAsync("verify", folder.PathOf("order.message"), "--schema", folder.PathOf("pages"));
        var measure = await ToolRun.InProcessAsync("verify", folder.PathOf("measure.message"), "--schema", folder.PathOf("pages"));

        Assert.Equal((0, "sound: a message of 56 bytes, Shop.Order\n"), (order.Code, order.Output));
        Assert.Equal((0, "sound: a message of 24 bytes, Shop.Measured\n"), (measure.Code, measure.Output));
    }

    [Fact]
    public async Task A_value_that_changed_on_the_disk_is_damaged_and_not_listed()
    {
        using var folder = new TemporaryFolder();
        Fill(folder.PathOf("pages"), 2);
        FoundRecord first;
        using (var cache = CacheListing.Of(folder.PathOf("pages"), CancellationToken.None))
        {
            first = cache.Entries[0];
        }

        using (var file = new FileStream(CacheFiles.Segment(folder.PathOf("pages"), first.Slot), FileMode.Open, FileAccess.Write))
        {
            file.Position = first.Offset + 1_000;
            file.WriteByte(0xff);
        }

        var list = await ToolRun.InProcessAsync("cache", "ls", folder.PathOf("pages"));
        var verify = await ToolRun.InProcessAsync("cache", "verify", folder.PathOf("pages"));

        Assert.DoesNotContain("key 1", list.Output, StringComparison.Ordinal);
        Assert.Contains("key 2", list.Output, StringComparison.Ordinal);
        Assert.Equal(1, verify.Code);
        Assert.StartsWith($"damaged  {Path.GetFileName(CacheFiles.Segment("", first.Slot))} at {Quantity.Of(first.Offset)}: ", verify.Output, StringComparison.Ordinal);
    }

    private static void Fill(string path, int count)
    {
        using var cache = Open(path);
        var value = new byte[ValueBytes];
        for (var i = 1; i <= count; i++)
        {
            Array.Fill(value, (byte)i);
            cache.Set($"key {i}", value);
        }
    }

    private static MessageCache<string> Open(string path) => MessageCache.Open<string>(path, new MessageCacheOptions { DiskBytes = 64 << 20, SegmentBytes = 1 << 20 });
}
