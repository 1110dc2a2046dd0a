namespace BufferedMessages.Caching.Tests;

public sealed class InspectionTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    // Files of no use are deleted by users, and without the file of tags all entries with tags are gone.
    [Fact]
    public void The_files_of_tags_and_of_sharing_are_those_of_a_cache()
    {
        using (var cache = _directory.Open<int>(SharingPart.Options))
        {
            cache.Set(1, "value"u8, CacheExpiry.Never with { Tags = ["tag"] });
        }

        var report = CacheInspection.Run(_directory, found: null, CancellationToken.None);

        Assert.Empty(report.Findings);
        Assert.Equal(1, report.Records);
    }

    [Fact]
    public void Entries_that_a_tag_has_removed_are_not_listed()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "removed"u8, CacheExpiry.Never with { Tags = ["old"] });
        cache.Set(2, "kept"u8, CacheExpiry.Never with { Tags = ["new"] });
        cache.RemoveByTag("old");

        using var listing = CacheListing.Of(_directory, CancellationToken.None);

        Assert.Equal(BitConverter.GetBytes(2), Assert.Single(listing.Entries).Key);
        Assert.Equal(1, listing.Expired);
    }
}
