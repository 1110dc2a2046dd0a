using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Caching.Tests.Distributed;

/// <summary>A process with a hybrid cache over a cache that processes share. It does as it is told, a line for each command, and answers each by a line.</summary>
internal static class HybridPart
{
    public const string Name = "hybrid";

    private static readonly HybridCacheEntryOptions SecondLevel = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };

    public static void Run(string directory)
    {
        var services = new ServiceCollection();
        services.AddDistributedMessageCache(settings =>
        {
            settings.Directory = directory;
            settings.SegmentBytes = CacheDirectory.SegmentBytes;
            settings.DiskBytes = 16 * CacheDirectory.SegmentBytes;
            settings.Shared = true;
        });
        services.AddHybridCache();
        using var provider = services.BuildServiceProvider();
        var cache = provider.GetRequiredService<HybridCache>();
        Console.WriteLine("open");
        while (Console.ReadLine() is { } line)
        {
            var words = line.Split(' ');
            Console.WriteLine(DoAsync(cache, words[0], words[1], words[2]).GetAwaiter().GetResult());
        }
    }

    private static async Task<string> DoAsync(HybridCache cache, string command, string name, string tag)
    {
        switch (command)
        {
            case "set":
                await cache.SetAsync(name, "set", SecondLevel, [tag]);
                return "done";
            case "get":
                return await cache.GetOrCreateAsync(name, static _ => ValueTask.FromResult("created"), SecondLevel, [tag]);
            case "untag":
                await cache.RemoveByTagAsync(name);
                return "done";
            default:
                return "unknown";
        }
    }
}
