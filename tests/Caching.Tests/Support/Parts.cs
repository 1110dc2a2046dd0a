using System.Globalization;

namespace BufferedMessages.Caching.Tests;

/// <summary>The parts of the processes that the tests start: <c>part directory</c>.</summary>
internal static class Parts
{
    public const string Hold = "hold";
    public const string Write = "write";
    public const string HoldLease = "lease";
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
