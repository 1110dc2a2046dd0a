using System.Globalization;

namespace BufferedMessages.Caching.Tests;

/// <summary>A process that shares a cache and does as it is told, a line for each command; it answers each by a line.</summary>
internal static class SharingPart
{
    public const string Name = "sharing";

    // The timeout is also the time that a change waits for the owner, whose threads may be stopped on a busy machine.
    public static MessageCacheOptions Options => CacheDirectory.SmallWith(static options => (options.Shared, options.SegmentTimeout) = (true, TimeSpan.FromMinutes(2)));

    public static void Run(string directory)
    {
        using var cache = MessageCache.Open<int>(directory, Options);
        Console.WriteLine("open");
        while (Console.ReadLine() is { } line)
        {
            var words = line.Split(' ', 3);
            Console.WriteLine(Do(cache, words[0], int.Parse(words[1], CultureInfo.InvariantCulture), words[2]));
        }
    }

    private static string Do(MessageCache<int> cache, string command, int key, string argument)
    {
        switch (command)
        {
            case "set":
                cache.Set(key, Values.Of(int.Parse(argument, CultureInfo.InvariantCulture), 500));
                return "set";
            case "get":
                return cache.Read(key) is { } value ? value.AsSpan().SequenceEqual(Values.Of(int.Parse(argument, CultureInfo.InvariantCulture), 500)) ? "same" : "other" : "none";
            case "remove":
                return cache.Remove(key) ? "removed" : "none";
            case "create":
                return cache.GetOrCreate(key, _ => Create(argument), new NumberSerializer()).ToString(CultureInfo.InvariantCulture);
            case "stall":
                return cache.GetOrCreate(key, _ => Stall(), new NumberSerializer()).ToString(CultureInfo.InvariantCulture);
            case "lease":
                return Hold(cache, key, int.Parse(argument, CultureInfo.InvariantCulture));
            default:
                return "unknown";
        }
    }

    // Long enough for the others to ask too.
    private static int Create(string log)
    {
        File.AppendAllText(log, "created\n");
        Thread.Sleep(200);
        return Environment.ProcessId;
    }

    private static int Stall()
    {
        Console.WriteLine("creating");
        Thread.Sleep(Timeout.Infinite);
        return 0;
    }

    private static string Hold(MessageCache<int> cache, int key, int number)
    {
        if (!cache.TryGet(key, out var lease))
        {
            return "none";
        }

        using (lease)
        {
            Console.WriteLine("held");
            Console.ReadLine();
            return lease.Value.SequenceEqual(Values.Of(number, 500)) ? "same" : "changed";
        }
    }
}
