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
