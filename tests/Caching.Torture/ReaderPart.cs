using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>A process that only reads, while writers come and are killed.</summary>
internal static class ReaderPart
{
    public const string Name = "reader";

    // Half of the reads are of few keys, so that these are kept while others are evicted.
    private const int HotKeys = TortureCache.Keys / 20;

    public static int Run(string directory, string seedText)
    {
        var random = new Random(int.Parse(seedText, CultureInfo.InvariantCulture));
        using var journal = new Journal(TortureCache.JournalOf(directory));
        using var cache = MessageCache.OpenReadOnly<int>(TortureCache.CacheOf(directory), TortureCache.Options);
        Console.WriteLine("open");
        while (true)
        {
            var key = random.Next(random.Next(2) == 0 ? HotKeys : TortureCache.Keys);
            journal.CheckRead(key, journal.Look(key), cache);
        }
    }
}
