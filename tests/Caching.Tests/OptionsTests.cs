namespace BufferedMessages.Caching.Tests;

public sealed class OptionsTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Values_out_of_range_are_refused_and_named()
    {
        AssertRefused(options => options.SegmentBytes = 100_000, "SegmentBytes: A segment's size must be a power of two from 65536 to 1073741824 bytes. It is 100000.");
        AssertRefused(options => options.DiskBytes = 0, "DiskBytes: The disk budget must be positive. It is 0.");
        AssertRefused(options => options.MemoryBytes = 1_000, "MemoryBytes");
        AssertRefused(options => options.MaxEntryBytes = 0, "MaxEntryBytes");
        AssertRefused(options => options.ExpectedEntries = 0, "ExpectedEntries");
        AssertRefused(options => options.ExpectedEntries = long.MaxValue, "ExpectedEntries: The number must be from 1 to 10000000000. It is 9223372036854775807.");
        AssertRefused(options => options.SegmentTimeout = TimeSpan.FromSeconds(-1), "SegmentTimeout: The time must be from 0 to 24 days. It is -00:00:01.");
        AssertRefused(options => options.TimeProvider = null!, "TimeProvider");
    }

    [Fact]
    public void Options_that_change_later_do_not_reach_the_cache()
    {
        var options = CacheDirectory.Small;
        using var cache = _directory.Open<int>(options);
        options.DefaultExpiry = CacheExpiry.After(TimeSpan.FromSeconds(1));
        cache.Set(1, "one"u8);

        Assert.True(cache.TryGet(1, out var lease));
        Assert.Null(lease.ExpiresAt);
        lease.Dispose();
    }

    [Fact]
    public void A_separator_at_the_end_of_a_path_is_not_a_part_of_it()
    {
        var path = _directory.Path + Path.DirectorySeparatorChar;
        using var cache = MessageCache.Open<int>(path, CacheDirectory.Small);
        using var reader = MessageCache.OpenReadOnly<int>(path);

        Assert.Equal((_directory.Path, "cache"), (cache.Directory, cache.Name));
        Assert.Equal((_directory.Path, "cache"), (reader.Directory, reader.Name));
    }

    [Fact]
    public void Too_few_segments_are_refused_and_the_message_says_what_to_do()
    {
        var exception = Assert.Throws<ArgumentException>(() => _directory.Open<int>(new MessageCacheOptions { SegmentBytes = 1024 * 1024, DiskBytes = 3 * 1024 * 1024 }));

        Assert.Contains("SegmentBytes", exception.Message, StringComparison.Ordinal);
        _directory.Open<int>().Dispose();
    }

    // A location in the index has 36 bits, for units of 16 bytes.
    [Fact]
    public void More_than_a_terabyte_is_refused()
    {
        const long Terabyte = (long)IndexWord.Referenced << IndexWord.UnitShift;
        const long SegmentBytes = 256L << 20;
        var options = new MessageCacheOptions { SegmentBytes = SegmentBytes, DiskBytes = Terabyte + SegmentBytes };

        var exception = Assert.Throws<ArgumentException>(() => _directory.Open<int>(options));

        Assert.Contains("a cache has 6 to 4096. Change DiskBytes: a cache has a terabyte at most.", exception.Message, StringComparison.Ordinal);
        Assert.Equal(4096, new MessageCacheOptions { DiskBytes = Terabyte }.SegmentsOf(SegmentBytes));
        Assert.Equal(8192, new MessageCacheOptions { DiskBytes = Terabyte }.SegmentsOf(SegmentBytes / 2));
    }

    [Fact]
    public void A_cache_with_other_segments_is_refused()
    {
        _directory.Open<int>().Dispose();

        Assert.Throws<ArgumentException>(() => _directory.Open<int>(CacheDirectory.SmallWith(options => { options.SegmentBytes = 2 * CacheDirectory.SegmentBytes; options.DiskBytes = 4_000_000; })));

        _directory.Open<int>(CacheDirectory.SmallWith(options => options.SegmentBytes = null)).Dispose();
    }

    [Theory]
    [InlineData(1_000_000L, 65_536)]
    [InlineData(1L << 30, 1 << 24)]
    [InlineData(1L << 40, 1 << 26)]
    public void A_new_cache_gets_segments_that_fit_its_budget(long diskBytes, long segmentBytes) =>
        Assert.Equal(segmentBytes, new MessageCacheOptions { DiskBytes = diskBytes }.NewSegmentBytes);

    private void AssertRefused(Action<MessageCacheOptions> change, string reason)
    {
        var options = CacheDirectory.SmallWith(change);
        Assert.Contains(reason, Assert.Throws<ArgumentException>(() => _directory.Open<int>(options)).Message, StringComparison.Ordinal);
        Assert.Contains(reason, Assert.Throws<ArgumentException>(() => MessageCache.OpenReadOnly<int>(_directory, options)).Message, StringComparison.Ordinal);
    }
}
