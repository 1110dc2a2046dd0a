using BufferedMessages.Segments;

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

    // As of a copy on a disk that is mounted for reading only, or of the cache of another user.
    [LinuxFact]
    public void An_inspection_maps_no_file_for_writing()
    {
        using (var cache = _directory.Open<int>())
        {
            cache.Set(1, "value"u8, CacheExpiry.Never with { Tags = ["tag"] });
        }

        using var copy = new CacheDirectory();
        Directory.CreateDirectory(copy);
        foreach (var file in Directory.GetFiles(_directory))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }

        var mappings = new List<string>();
        CacheInspection.Run(copy, _ => mappings.AddRange(File.ReadLines("/proc/self/maps").Where(line => line.Contains(copy, StringComparison.Ordinal))), CancellationToken.None);

        Assert.Contains(mappings, static line => line.EndsWith("/tags", StringComparison.Ordinal));
        Assert.All(mappings, static line => Assert.Contains(" r--s ", line, StringComparison.Ordinal));
    }

    // A process that sets new keys adds overflow buckets while another one inspects its cache.
    [Fact]
    public async Task Links_that_are_added_during_the_look_are_not_damage()
    {
        const int Entries = 80_000;
        Directory.CreateDirectory(_directory);
        var table = IndexTable.Create(_directory, generation: 1, IndexTable.BucketsFor(Entries), FilePermissions.OfUser);
        var setter = Task.Run(() =>
        {
            var random = new Random(3);
            for (var i = 1; i <= Entries; i++)
            {
                var hash = (ulong)random.NextInt64();
                table.FindEmpty(hash).Write(IndexWord.Compose(hash, i, flags: 0));
            }
        });
        while (!setter.IsCompleted)
        {
            Assert.True(table.HasValidLinks());
        }

        await setter;
        Assert.True(table.HasValidLinks());
    }
}
