namespace BufferedMessages.Caching.Tests;

/// <summary>Reads that end with an exception, of the clock or of the file of tags: they hold no segment after that.</summary>
public sealed class FailingReadTests : IDisposable
{
    // More than a process can have leases.
    private const int Reads = 5_000;

    private readonly CacheDirectory _directory = new();
    private readonly FailingClock _clock = new();

    public static TheoryData<string> Ways => ["get", "contains", "enumerate", "touch", "remove", "stale"];

    public void Dispose() => _directory.Dispose();

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_clock_that_throws_leaves_no_lease_behind(string way)
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.TimeProvider = _clock));
        cache.Set(1, "one"u8, CacheExpiry.After(TimeSpan.FromHours(1)) with { StaleIfError = TimeSpan.FromHours(1) });
        cache.Set(2, "two"u8, CacheExpiry.Sliding(TimeSpan.FromHours(1)));
        Assert.NotNull(cache.Read(1));
        Assert.NotNull(cache.Read(2));

        _clock.IsFailing = true;
        Assert.All(Enumerable.Range(0, Reads), i => Assert.Throws<TimeZoneNotFoundException>(() => Use(cache, 1 + (i % 2), way)));
        _clock.IsFailing = false;

        Assert.Equal("one"u8.ToArray(), cache.Read(1)!);
        Assert.Equal("two"u8.ToArray(), cache.Read(2)!);
        RecycleAll(cache);
    }

    [LinuxFact]
    public void A_file_of_tags_that_cannot_be_opened_leaves_no_lease_behind()
    {
        var expiry = CacheExpiry.Never with { Tags = ["tag"] };
        using (var first = _directory.Open<int>())
        {
            first.Set(1, "one"u8, expiry);
        }

        var tags = CacheFiles.Tags(_directory);
        var saved = tags + ".saved";
        File.Move(tags, saved);
        File.CreateSymbolicLink(tags, tags);
        using var cache = _directory.Open<int>();
        Assert.All(Enumerable.Range(0, Reads), _ => Assert.Throws<IOException>(() => cache.Read(1)));

        File.Delete(tags);
        File.Move(saved, tags);
        Assert.Equal("one"u8.ToArray(), cache.Read(1)!);
        RecycleAll(cache);
    }

    [LinuxFact]
    public void A_file_of_tags_that_cannot_be_looked_at_removes_no_tags()
    {
        var expiry = CacheExpiry.After(TimeSpan.FromHours(1)) with { Tags = ["tag"] };
        using (var first = _directory.Open<int>())
        {
            first.Set(1, "one"u8, expiry);
        }

        using var cache = _directory.Open<int>();
        using (new HiddenPath(_directory))
        {
            Assert.Throws<IOException>(() => cache.Read(1));
            Assert.Throws<IOException>(() => cache.Set(2, "two"u8, expiry));
        }

        Assert.Equal("one"u8.ToArray(), cache.Read(1)!);
        cache.Set(2, "two"u8, expiry);
        Assert.Equal("one"u8.ToArray(), cache.Read(1)!);
        RecycleAll(cache);
    }

    private static void Use(MessageCache<int> cache, int key, string way)
    {
        switch (way)
        {
            case "get":
                cache.Read(key);
                break;
            case "contains":
                cache.Contains(key);
                break;
            case "enumerate":
                foreach (var entry in cache)
                {
                    Assert.NotEqual(0, entry.Key);
                }

                break;
            case "touch":
                cache.Touch(key);
                break;
            case "remove":
                cache.Remove(key);
                break;
            default:
                cache.GetOrCreate(key, static _ => 5, new NumberSerializer());
                break;
        }
    }

    // Leases that are not given back would hold their segments for ever.
    private static void RecycleAll(MessageCache<int> cache)
    {
        for (var i = 0; cache.GetStatistics().Evicted < 2_000; i++)
        {
            cache.Set(100 + i, Values.Of(i, 1_000));
        }

        Assert.True(cache.GetStatistics().DiskBytes <= CacheDirectory.Small.DiskBytes, "A segment stayed held.");
    }

    private sealed class FailingClock : TimeProvider
    {
        public bool IsFailing { get; set; }

        public override DateTimeOffset GetUtcNow() => IsFailing ? throw new TimeZoneNotFoundException() : base.GetUtcNow();
    }
}
