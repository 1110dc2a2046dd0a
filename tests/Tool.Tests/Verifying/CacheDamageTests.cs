using BufferedMessages.Caching;

namespace BufferedMessages.Tool.Tests;

/// <summary>The damage of the cache's tests: verify names the file, the offset and the rule.</summary>
public sealed class CacheDamageTests : IDisposable
{
    private const int Keys = 300;

    private readonly TemporaryFolder _folder = new();

    private string Pages => _folder.PathOf("pages");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_sound_cache_ends_with_0_and_keeps_every_byte()
    {
        Fill();
        var before = FolderContent.Of(Pages);

        var run = await ToolRun.InProcessAsync("verify", Pages);

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Contains($"{Keys} messages", run.Output, StringComparison.Ordinal);
        Assert.Equal(before, FolderContent.Of(Pages));
    }

    [Fact]
    public async Task A_flipped_byte_of_a_record_is_named_at_the_record()
    {
        Fill();
        var segment = Directory.GetFiles(Pages, "*.segment").Order(StringComparer.Ordinal).First();
        var original = File.ReadAllBytes(segment);
        var bytes = (int)BitConverter.ToUInt32(original, 64 + 4);
        foreach (var offset in new[] { 8, 12, 16, 20, 24, 30, 32, 40, 45, 60, 200, 1_000 })
        {
            var damaged = (byte[])original.Clone();
            damaged[64 + bytes + offset] ^= 0x11;
            File.WriteAllBytes(segment, damaged);

            var run = await ToolRun.InProcessAsync("verify", Pages);

            Assert.True(run.Code == 1, $"byte {offset}: {run.Output}");
            Assert.Contains($"damaged  {Path.GetFileName(segment)} at {Quantity.Of(64 + bytes)}: the ", run.Output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("delete", "*.segment", "the segment is missing")]
    [InlineData("cut", "*.segment", "has 100 bytes instead of")]
    [InlineData("zeros", "*.segment", "at 0: the header of the segment is damaged")]
    [InlineData("delete", "index.*", "at 0: it is missing")]
    [InlineData("cut", "index.*", "at 0: its header does not match its 100 bytes")]
    [InlineData("zeros", "index.*", "at 0: its header does not match its")]
    [InlineData("cut", "cache", "at 0: it has 100 bytes")]
    [InlineData("zeros", "cache", "at 0: it begins with other bytes")]
    public async Task A_lost_file_is_named(string damage, string pattern, string rule)
    {
        Fill();
        var file = Directory.GetFiles(Pages, pattern).Order(StringComparer.Ordinal).First();
        switch (damage)
        {
            case "delete":
                File.Delete(file);
                break;
            case "cut":
                File.WriteAllBytes(file, File.ReadAllBytes(file)[..100]);
                break;
            default:
                File.WriteAllBytes(file, new byte[new FileInfo(file).Length]);
                break;
        }

        var run = await ToolRun.InProcessAsync("verify", Pages);

        Assert.True(run.Code == 1, run.Output + run.Errors);
        Assert.Contains($"damaged  {Path.GetFileName(file)}", run.Output, StringComparison.Ordinal);
        Assert.Contains(rule, run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cache", 8, 2)]
    [InlineData("cache", 32, 1)]
    [InlineData("*.segment", 24, 4)]
    public async Task A_file_of_a_newer_program_ends_with_2(string pattern, int offset, byte value)
    {
        Fill();
        var file = Directory.GetFiles(Pages, pattern).Order(StringComparer.Ordinal).First();
        var bytes = File.ReadAllBytes(file);
        bytes[offset] = value;
        File.WriteAllBytes(file, bytes);

        var run = await ToolRun.InProcessAsync("verify", Pages);

        Assert.Equal(2, run.Code);
        Assert.Contains("Update the BufferedMessages.Caching package", run.Output + run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cache_at_work_is_never_called_damaged()
    {
        using var stop = new CancellationTokenSource();
        using var cache = MessageCache.Open<int>(Pages, Options());
        cache.Set(0, new byte[1_000]);
        var writing = Task.Run(() =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                cache.Set(i % 5_000, new byte[1_000 + (i % 500)]);
            }
        });

        for (var look = 0; look < 100; look++)
        {
            var run = await ToolRun.InProcessAsync("verify", Pages);
            Assert.True(run.Code == 0, $"look {look}: {run.Output}{run.Errors}");
        }

        await stop.CancelAsync();
        await writing;
    }

    private static MessageCacheOptions Options() => new() { DiskBytes = 4 << 20, SegmentBytes = 65536 };

    private void Fill()
    {
        using var cache = MessageCache.Open<int>(Pages, Options());
        for (var i = 0; i < Keys; i++)
        {
            var value = new byte[1_000];
            Array.Fill(value, (byte)i);
            cache.Set(i, value);
        }
    }
}
