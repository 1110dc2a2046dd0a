using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>A process that shares the cache with others, and owns it at times. One thread changes keys that are this process's own; another one reads all keys.</summary>
internal static class SharerPart
{
    public const string Name = "sharer";

    public static int Run(string directory, string seedText, string laneText, string sharersText, string plant)
    {
        var random = new Random(int.Parse(seedText, CultureInfo.InvariantCulture));
        var lane = int.Parse(laneText, CultureInfo.InvariantCulture);
        var sharers = int.Parse(sharersText, CultureInfo.InvariantCulture);
        using var journal = new Journal(TortureCache.JournalOf(directory));
        using var cache = MessageCache.Open<int>(TortureCache.CacheOf(directory), TortureCache.SharedOptions);
        Console.WriteLine("open");
        var reader = new Thread(() => journal.CheckReads(cache, new Random(lane))) { IsBackground = true };
        reader.Start();
        var keys = new TortureLane(cache, journal, random, lane, sharers, lane == 0 ? plant : TortureOptions.NoPlant);
        while (true)
        {
            keys.Change();
        }
    }
}
