using System.Globalization;
using BufferedMessages.Caching.Tests.Distributed;

namespace BufferedMessages.Caching.Tests;

/// <summary>The parts of the processes that the tests start: <c>part directory</c>.</summary>
internal static class Parts
{
    public const string Hold = "hold";
    public const string Write = "write";
    public const string HoldLease = "lease";
    public const string Work = "work";
    public const string Share = "share";
    public const string ReadShared = "read";
    public const string Churn = "churn";
    public const string RemoveTags = "tags";
    public const int Tags = 50;
    public const int ChurnedKeys = 900;
    public const int WrittenKeys = 500;

    public static int Run(string[] arguments)
    {
        if (arguments is not [var part, var directory])
        {
            Console.Error.WriteLine("This program is started by its tests: dotnet test tests/Caching.Tests");
            return 2;
        }

        switch (part)
        {
            case Hold:
                HoldCache(directory);
                return 0;
            case Write:
                WriteForever(directory);
                return 0;
            case HoldLease:
                HoldOneLease(directory);
                return 0;
            case Work:
                MakeAllFiles(directory);
                return 0;
            case Share:
                Tell(() => CountUp(directory));
                return 0;
            case Churn:
                ChurnForever(directory);
                return 0;
            case RemoveTags:
                RemoveTagsForever(directory);
                return 0;
            case SharingPart.Name:
                SharingPart.Run(directory);
                return 0;
            case HybridPart.Name:
                HybridPart.Run(directory);
                return 0;
            case ReadShared:
                Tell(() => ReadCount(directory));
                return 0;
            default:
                return 2;
        }
    }

    private static void HoldCache(string directory)
    {
        using var cache = MessageCache.Open<string>(directory, CacheDirectory.Small);
        cache.Set("key", "value"u8);
        Console.WriteLine("open");
        Console.ReadLine();
    }

    // Prints each number after it is set.
    private static void WriteForever(string directory)
    {
        using var cache = MessageCache.Open<int>(directory, CacheDirectory.Small);
        for (var i = 0; ; i++)
        {
            cache.Set(i % WrittenKeys, Values.Of(i, 100 + (i % 900)));
            Console.WriteLine(i.ToString(CultureInfo.InvariantCulture));
        }
    }

    // Sets a round's number with each tag, then removes each other tag, and prints the round.
    private static void RemoveTagsForever(string directory)
    {
        using var cache = MessageCache.Open<int>(directory, CacheDirectory.Small);
        var expiries = Enumerable.Range(0, Tags).Select(static tag => CacheExpiry.Never with { Tags = [$"tag {tag}"] }).ToArray();
        for (var round = 0; ; round++)
        {
            for (var tag = 0; tag < Tags; tag++)
            {
                cache.Set(tag, Values.Of(round, 100), expiries[tag]);
            }

            for (var tag = round % 2; tag < Tags; tag += 2)
            {
                cache.RemoveByTag($"tag {tag}");
            }

            Console.WriteLine(round.ToString(CultureInfo.InvariantCulture));
            Console.ReadLine();
        }
    }

    // Sets all keys, then overwrites few of them often. Prints a line when all keys are set, and after every hundred sets.
    private static void ChurnForever(string directory)
    {
        var random = new Random(Environment.ProcessId);
        using var cache = MessageCache.Open<int>(directory, CacheDirectory.Small);
        for (var i = 0L; ; i++)
        {
            var key = i < ChurnedKeys ? (int)i : random.Next(random.Next(10) == 0 ? ChurnedKeys : 5);
            cache.Set(key, Values.Of(key, 200 + random.Next(500)));
            if (i >= ChurnedKeys && i % 100 == 0)
            {
                Console.WriteLine(i.ToString(CultureInfo.InvariantCulture));
            }
        }
    }

    // A larger index, more segments, a schema, and a process that reads.
    private static void MakeAllFiles(string directory)
    {
        using var cache = MessageCache.Open<int>(directory, CacheDirectory.SmallWith(static options => options.ExpectedEntries = 1));
        cache.Set(0, new Order { Id = 1 });
        cache.Set(0, "tagged"u8, CacheExpiry.Never with { Tags = ["tag"] });
        for (var i = 1; i < 5_000; i++)
        {
            cache.Set(i, Values.Of(i, 100));
        }

        using var reader = MessageCache.OpenReadOnly<int>(directory);
        Console.WriteLine("done");
        Console.ReadLine();
    }

    private static void CountUp(string directory)
    {
        using var cache = MessageCache.Open<int>(directory, CacheDirectory.SmallWith(static options => options.FileGroup = "daemon"));
        var count = (cache.Read(0) is [var found, ..] ? found : 0) + 1;
        for (var i = 0; i < 2_000; i++)
        {
            cache.Set(i, Values.Of(i, 200));
        }

        cache.Set(0, [(byte)count]);
        Console.WriteLine(count.ToString(CultureInfo.InvariantCulture));
        Console.ReadLine();
    }

    private static void ReadCount(string directory)
    {
        using var cache = MessageCache.OpenReadOnly<int>(directory, CacheDirectory.SmallWith(static options => options.FileGroup = "daemon"));
        Console.WriteLine(cache.Read(0)![0].ToString(CultureInfo.InvariantCulture));
        Console.ReadLine();
    }

    private static void Tell(Action action)
    {
        try
        {
            action();
        }
        catch (UnauthorizedAccessException exception)
        {
            Console.WriteLine(exception.GetType().Name);
        }
    }

    private static void HoldOneLease(string directory)
    {
        using var cache = MessageCache.OpenReadOnly<int>(directory);
        if (!cache.TryGet(0, out var lease))
        {
            Console.WriteLine("missing");
            return;
        }

        Console.WriteLine("held");
        Console.ReadLine();
        Console.WriteLine(lease.Value.SequenceEqual(Values.Of(0, 1_000)) ? "same" : "changed");
        lease.Dispose();
    }
}
