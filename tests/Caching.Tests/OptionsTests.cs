namespace BufferedMessages.Caching.Tests;

public sealed class OptionsTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Values_out_of_range_are_refused_when_they_are_set()
    {
        var options = new MessageCacheOptions();

        Assert.Throws<ArgumentOutOfRangeException>(() => options with { SegmentBytes = 100_000 });
        Assert.Throws<ArgumentOutOfRangeException>(() => options with { DiskBytes = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => options with { MemoryBytes = 1_000 });
        Assert.Throws<ArgumentOutOfRangeException>(() => options with { MaxEntryBytes = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => options with { ExpectedEntries = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => options with { SegmentTimeout = TimeSpan.FromSeconds(-1) });
        Assert.Throws<ArgumentNullException>(() => options with { TimeProvider = null! });
    }

    [Fact]
    public void Too_few_segments_are_refused_and_the_message_says_what_to_do()
    {
        var exception = Assert.Throws<ArgumentException>(() => _directory.Open<int>(new MessageCacheOptions { SegmentBytes = 1024 * 1024, DiskBytes = 3 * 1024 * 1024 }));

        Assert.Contains("SegmentBytes", exception.Message, StringComparison.Ordinal);
        _directory.Open<int>().Dispose();
    }

    [Fact]
    public void A_cache_with_other_segments_is_refused()
    {
        _directory.Open<int>().Dispose();

        Assert.Throws<ArgumentException>(() => _directory.Open<int>(CacheDirectory.Small with { SegmentBytes = 2 * CacheDirectory.SegmentBytes, DiskBytes = 4_000_000 }));

        _directory.Open<int>(CacheDirectory.Small with { SegmentBytes = null }).Dispose();
    }

    [Theory]
    [InlineData(1_000_000L, 65_536)]
    [InlineData(1L << 30, 1 << 25)]
    [InlineData(1L << 40, 1 << 26)]
    public void A_new_cache_gets_segments_that_fit_its_budget(long diskBytes, long segmentBytes) =>
        Assert.Equal(segmentBytes, new MessageCacheOptions { DiskBytes = diskBytes }.NewSegmentBytes);
}
