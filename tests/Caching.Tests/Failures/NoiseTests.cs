namespace BufferedMessages.Caching.Tests;

/// <summary>Whatever the files of a cache hold: it opens, sets end, and no read returns another value.</summary>
public sealed class NoiseTests
{
    private const int Keys = 400;
    private const int Seeds = 40;
    private const int ChangedBytes = 64;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(120);

    [Theory]
    [InlineData("slots")]
    [InlineData("counts of absent slots")]
    [InlineData("control")]
    [InlineData("index")]
    [InlineData("segments")]
    [InlineData("all")]
    public async Task A_cache_with_noise_in_its_files_opens_and_serves_no_other_value(string place)
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            await Task.Run(() => Fill(directory)).WaitAsync(Generous);
            Spoil(directory, place, new Random(seed));
            await Task.Run(() => Use(directory, isWhole: place is not ("segments" or "all"))).WaitAsync(Generous);
        }
    }

    [Theory]
    [InlineData("slots")]
    [InlineData("index")]
    public async Task Noise_in_the_files_of_an_open_cache_does_not_stop_it(string place)
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            await Task.Run(() =>
            {
                using var cache = directory.Open<int>();
                Fill(cache, 0);
                Spoil(directory, place, new Random(seed));
                Fill(cache, 1_000);
                AssertValues(cache);
                Assert.InRange(cache.GetStatistics().IndexBytes, 1, 1024 * 1024);
            }).WaitAsync(Generous);
        }
    }

    private static void Fill(CacheDirectory directory)
    {
        using var cache = directory.Open<int>();
        Fill(cache, 0);
    }

    // Damaged records hide those after them in their segment, also ones that are added later.
    private static void Use(CacheDirectory directory, bool isWhole)
    {
        using (var cache = directory.Open<int>())
        {
            AssertValues(cache);
            for (var round = 0; round < 4; round++)
            {
                Fill(cache, 1_000 * round);
                AssertValues(cache);
            }

            // One that doubles with every set would be many times as large.
            Assert.InRange(cache.GetStatistics().IndexBytes, 1, 1024 * 1024);
            Assert.InRange(Enumerable.Range(0, Keys).Count(key => cache.Read(key) is not null), isWhole ? Keys : Keys / 2, Keys);
        }

        using var again = directory.Open<int>();
        AssertValues(again);
        Assert.True(!isWhole || again.Count == Keys);
    }

    private static void Fill(MessageCache<int> cache, int version)
    {
        for (var key = 0; key < Keys; key++)
        {
            cache.Set(key, BitConverter.GetBytes(version).Concat(Values.Of(key + version, 600)).ToArray());
        }
    }

    private static void AssertValues(MessageCache<int> cache)
    {
        for (var key = 0; key < Keys; key++)
        {
            if (cache.Read(key) is { } value)
            {
                Assert.Equal(Values.Of(key + BitConverter.ToInt32(value), 600), value[sizeof(int)..]);
            }
        }
    }

    private static void Spoil(CacheDirectory directory, string place, Random random)
    {
        var control = Path.Combine(directory, "cache");
        if (place is "slots" or "all")
        {
            Write(control, ControlHeader.Bytes, new FileInfo(control).Length, random);
        }

        if (place is "counts of absent slots")
        {
            for (var slot = 1_000; slot < 2_000; slot++)
            {
                Write(control, ControlHeader.Bytes + (slot * SlotState.Bytes) + 16, ControlHeader.Bytes + (slot * SlotState.Bytes) + 24, random);
            }
        }

        if (place is "control" or "all")
        {
            Write(control, ChangedBytes, ControlHeader.Bytes, random);
        }

        if (place is "index" or "all")
        {
            Write(directory.FileOf("index.*"), random.Next(2) * 64, new FileInfo(directory.FileOf("index.*")).Length, random);
        }

        if (place is "segments" or "all")
        {
            // The feature words of a header refuse the file, as they should.
            foreach (var segment in Directory.GetFiles(directory, "*.segment"))
            {
                var start = random.NextInt64(SegmentHeader.Bytes, CacheDirectory.SegmentBytes);
                Write(segment, start, Math.Min(start + random.Next(20_000), CacheDirectory.SegmentBytes), random);
            }
        }
    }

    // Everything, or only a part of the bytes.
    internal static void Write(string path, long start, long end, Random random)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        var noise = new byte[end - start];
        file.Position = start;
        file.ReadExactly(noise);
        var isSparse = random.Next(2) == 0;
        for (var i = 0; i < noise.Length; i++)
        {
            noise[i] = !isSparse || random.Next(50) == 0 ? (byte)random.Next(256) : noise[i];
        }

        file.Position = start;
        file.Write(noise);
    }
}
