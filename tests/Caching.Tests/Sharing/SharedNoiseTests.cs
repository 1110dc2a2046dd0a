namespace BufferedMessages.Caching.Tests;

/// <summary>Whatever the files of a shared cache hold: changes end, another process takes over, and no read returns another value.</summary>
public sealed class SharedNoiseTests
{
    private const int Keys = 100;
    private const int Seeds = 6;
    private const int ChangedBytes = 64;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(120);

    private static MessageCacheOptions Options => CacheDirectory.SmallWith(static options =>
    {
        options.Shared = true;
        options.SegmentTimeout = TimeSpan.FromSeconds(10);
    });

    [Theory]
    [InlineData("owner")]
    [InlineData("changes-*")]
    [InlineData("answers-*")]
    public async Task Noise_in_the_files_of_sharing_loses_no_set(string files)
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            using var owner = directory.Open<int>(Options);
            using var other = directory.Open<int>(Options);
            Fill(other, 0);
            SpoilSharing(directory, files, new Random(seed));

            await Task.Run(() => Fill(other, 1_000)).WaitAsync(Generous);

            AssertValues(owner, 1_000);
            AssertValues(other, 1_000);
        }
    }

    [Theory]
    [InlineData("slots")]
    [InlineData("control")]
    [InlineData("index")]
    public async Task After_noise_in_the_files_of_the_cache_another_process_takes_over(string place)
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            var owner = directory.Open<int>(Options);
            using var other = directory.Open<int>(Options);
            Fill(other, 0);
            Spoil(directory, place, new Random(seed));
            await Task.Run(owner.Dispose).WaitAsync(Generous);

            await Task.Run(() => Fill(other, 1_000)).WaitAsync(Generous);

            AssertValues(other, 1_000);
        }
    }

    private static void Fill(MessageCache<int> cache, int version)
    {
        for (var key = 0; key < Keys; key++)
        {
            cache.Set(key, Values.Of(key + version, 600));
        }
    }

    private static void AssertValues(MessageCache<int> cache, int version) => Assert.All(Enumerable.Range(0, Keys), key => Assert.Equal(Values.Of(key + version, 600), cache.Read(key)!));

    private static void Spoil(CacheDirectory directory, string place, Random random)
    {
        var control = Path.Combine(directory, "cache");
        switch (place)
        {
            case "slots":
                Noise.Write(control, ControlHeader.Bytes, new FileInfo(control).Length, random);
                break;
            case "control":
                Noise.Write(control, ChangedBytes, ControlHeader.Bytes, random);
                break;
            default:
                var index = directory.FileOf("index.*");
                Noise.Write(index, 0, new FileInfo(index).Length, random);
                break;
        }
    }

    private static void SpoilSharing(CacheDirectory directory, string files, Random random)
    {
        var sharing = Path.Combine(directory, "sharing");
        var paths = Directory.GetFiles(sharing, files).Concat(Directory.GetDirectories(sharing, files).SelectMany(Directory.GetFiles)).Where(path => !path.EndsWith(".lease", StringComparison.Ordinal));

        // All are opened first: an owner that finds one of them damaged deletes the others.
        foreach (var file in paths.Select(Noise.Open).ToList())
        {
            using (file)
            {
                Noise.Write(file, 0, file.Length, random);
            }
        }
    }
}
