namespace BufferedMessages.Caching.Tests;

/// <summary>A cache whose directory is deleted, replaced or refuses files while it is open.</summary>
public sealed class LostFilesTests : IDisposable
{
    private const int Keys = 300;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [LinuxFact]
    public void A_cache_whose_directory_was_made_anew_for_another_one_leaves_the_files_of_that()
    {
        using var first = _directory.Open<int>();
        first.Set(1, "first"u8);
        DeleteDirectory();
        using (var second = _directory.Open<int>())
        {
            Fill(second, 0);
            var exception = Assert.Throws<CacheCorruptedException>(() => Fill(first, 1_000_000));
            Assert.Contains("while the cache was open", exception.Message, StringComparison.Ordinal);
        }

        using var again = _directory.Open<int>();
        Assert.All(Enumerable.Range(0, Keys), key => Assert.Equal(Values.Of(key, 1_000), again.Read(key)!));
    }

    [LinuxFact]
    public void An_entry_with_tags_of_a_cache_whose_directory_was_deleted_is_a_miss()
    {
        using (var first = _directory.Open<int>())
        {
            first.Set(1, "one"u8, CacheExpiry.After(TimeSpan.FromHours(1)) with { Tags = ["tag"] });
        }

        using var cache = _directory.Open<int>();
        DeleteDirectory();

        Assert.Null(cache.Read(1));
    }

    [LinuxTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_cache_whose_directory_was_made_anew_for_another_one_removes_no_tags_of_that(bool hasLooked)
    {
        var expiry = CacheExpiry.Never with { Tags = ["tag"] };
        using var first = _directory.Open<int>();
        DeleteDirectory();
        using var second = _directory.Open<int>();
        second.Set(1, "second"u8, expiry);
        if (hasLooked)
        {
            Assert.Throws<CacheCorruptedException>(() => first.GetOrCreate(2, static _ => 5, new NumberSerializer(), expiry));
        }

        Assert.Throws<CacheCorruptedException>(() => first.RemoveByTag("tag"));
        Assert.Throws<CacheCorruptedException>(() => first.Set(2, "first"u8, expiry));
        Assert.Equal("second"u8.ToArray(), second.Read(1)!);
    }

    [LinuxFact]
    public void A_cache_whose_lease_was_deleted_makes_no_more_files_beside_another_writer()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "first"u8);
        File.Delete(CacheFiles.WriterLease(_directory));

        var exception = Assert.Throws<CacheCorruptedException>(() => Fill(cache, 0));
        Assert.Contains(CacheFiles.WriterLease(_directory), exception.Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_full_cache_whose_lease_was_deleted_reuses_no_more_segments_beside_another_writer()
    {
        using var cache = _directory.Open<int>();
        for (var key = 0; cache.GetStatistics().DiskBytes < CacheDirectory.Small.DiskBytes; key++)
        {
            cache.Set(key, Values.Of(key, 1_000));
        }

        File.Delete(CacheFiles.WriterLease(_directory));

        var exception = Assert.Throws<CacheCorruptedException>(() => Fill(cache, 0));
        Assert.Contains(CacheFiles.WriterLease(_directory), exception.Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void The_owner_of_a_shared_cache_whose_directory_was_made_anew_makes_no_changes_in_the_name_of_the_new_owner()
    {
        using var lost = _directory.Open<int>(SharingPart.Options);
        DeleteDirectory();
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);

        // Longer than the lost owner takes to announce its queue again.
        for (var key = 0; key < 40; key++)
        {
            other.Set(key, Values.Of(key, 100));
            Assert.Equal(Values.Of(key, 100), owner.Read(key)!);
            Thread.Sleep(25);
        }
    }

    [LinuxFact]
    public void A_process_that_shares_a_cache_asks_no_owner_for_changes_when_its_files_are_gone()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);
        other.Set(1, "first"u8);

        // Without its lock the directory would be this process's own.
        File.Delete(CacheFiles.Control(_directory));
        File.Delete(CacheFiles.Owner(_directory));

        Assert.Throws<CacheCorruptedException>(() =>
        {
            for (var key = 0; key < 200; key++)
            {
                other.Set(key, "second"u8);
                Thread.Sleep(10);
            }
        });
    }

    [Fact]
    public void An_index_that_cannot_grow_for_now_fails_no_set_that_it_has_room_for()
    {
        const int Entries = 6_000;
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(static options => options.ExpectedEntries = 1));
        var generation = int.Parse(Path.GetExtension(_directory.FileOf("index.*")).AsSpan(1), System.Globalization.CultureInfo.InvariantCulture);
        var obstacle = CacheFiles.Index(_directory, generation + 1) + ".creating";
        Directory.CreateDirectory(obstacle);

        for (var i = 0; i < Entries; i++)
        {
            cache.Set(i, BitConverter.GetBytes(i));
        }

        Assert.Equal(Entries, cache.Count);
        Assert.All(Enumerable.Range(0, Entries), key => Assert.Equal(BitConverter.GetBytes(key), cache.Read(key)!));
        Directory.Delete(obstacle);
    }

    [Fact]
    public void A_cache_that_can_make_no_more_files_continues_with_those_it_has_and_says_so()
    {
        using var log = new LogLines("BufferedMessages.Caching.MessageCache");
        using var cache = _directory.Open<int>();
        Fill(cache, 0);
        var obstacles = Obstruct();
        var segments = Directory.GetFiles(_directory, "*.segment").Length;
        var watch = new CacheWatch("obstructed", _directory, static () => CacheDirectory.Small.DiskBytes, cache.GetStatistics, log);

        for (var key = 0; key < 10 * Keys; key++)
        {
            cache.Set(key, Values.Of(key, 1_000));
            Assert.Equal(Values.Of(key, 1_000), cache.Read(key)!);
        }

        watch.Look();
        Assert.Equal(segments * CacheDirectory.SegmentBytes, cache.GetStatistics().DiskBytes);
        Assert.Single(log.Of(12));

        obstacles.ForEach(Directory.Delete);
        for (var key = 0; cache.GetStatistics().DiskBytes < CacheDirectory.Small.DiskBytes; key++)
        {
            cache.Set(key, Values.Of(key, 1_000));
        }

        watch.Look();
        Assert.Equal([12, 5], log.All.Select(line => line.Event));
    }

    [LinuxFact]
    public void A_cache_that_cannot_make_its_first_segment_names_the_file_and_goes_on_when_it_can()
    {
        var obstacles = Obstruct();
        using var cache = _directory.Open<int>();

        var exception = Assert.Throws<UnauthorizedAccessException>(() => cache.Set(1, "first"u8));
        Assert.Contains(".segment", exception.Message, StringComparison.Ordinal);
        Assert.Equal(5, cache.GetOrCreate(2, static _ => 5, new NumberSerializer()));
        Assert.Equal(1, cache.GetStatistics().NotKept);

        obstacles.ForEach(Directory.Delete);
        cache.Set(1, "first"u8);
        Assert.Equal("first"u8.ToArray(), cache.Read(1)!);
    }

    // A file cannot be made where a folder is. The thread that makes segments may make one first.
    private List<string> Obstruct()
    {
        var paths = Enumerable.Range(0, 2 * (int)(CacheDirectory.Small.DiskBytes / CacheDirectory.SegmentBytes)).Select(slot => CacheFiles.Segment(_directory, slot));
        return [.. paths.Where(TryObstruct)];
    }

    private static bool TryObstruct(string path)
    {
        try
        {
            Directory.CreateDirectory(path);
            return true;
        }
        catch (IOException) when (File.Exists(path))
        {
            return false;
        }
    }

    // The thread that makes segments may add one meanwhile.
    private void DeleteDirectory()
    {
        while (Directory.Exists(_directory))
        {
            try
            {
                Directory.Delete(_directory, recursive: true);
            }
            catch (IOException exception) when (exception is not DirectoryNotFoundException)
            {
                Thread.Sleep(1);
            }
        }
    }

    private static void Fill(MessageCache<int> cache, int number)
    {
        for (var key = 0; key < Keys; key++)
        {
            cache.Set(key, Values.Of(key + number, 1_000));
        }
    }
}
