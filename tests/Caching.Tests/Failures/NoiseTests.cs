namespace BufferedMessages.Caching.Tests;

/// <summary>Whatever the files of a cache hold: it opens, sets end, and no read returns another value.</summary>
/// <param name="filled">The cache whose copies are spoiled.</param>
public sealed class NoiseTests(NoiseTests.FilledCache filled) : IClassFixture<NoiseTests.FilledCache>
{
    private const int Keys = 400;
    private const int Seeds = 25;
    private const int ChangedBytes = 64;
    private const int UsedSlots = 16;
    private const int TagHeaderBytes = 128;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(120);
    private static readonly CacheExpiry Tagged = CacheExpiry.Never with { Tags = ["odd"] };

    [Theory]
    [InlineData("slots")]
    [InlineData("counts of absent slots")]
    [InlineData("control")]
    [InlineData("index")]
    [InlineData("tags")]
    [InlineData("segments")]
    [InlineData("all")]
    public async Task A_cache_with_noise_in_its_files_opens_and_serves_no_other_value(string place)
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            filled.CopyTo(directory);
            Spoil(directory, place, new Random(seed));
            await Task.Run(() => Use(directory, isWhole: place is not ("segments" or "all"))).WaitAsync(Generous);
        }
    }

    [Theory]
    [InlineData("slots")]
    [InlineData("counts of absent slots")]
    [InlineData("control")]
    [InlineData("index")]
    [InlineData("tags")]
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
                Assert.True(place != "counts of absent slots" || cache.Count == Keys);
            }).WaitAsync(Generous);
        }
    }

    [Theory]
    [InlineData("slots")]
    [InlineData("control")]
    [InlineData("index")]
    [InlineData("tags")]
    public async Task A_process_that_only_reads_gets_no_other_value_from_noise(string place)
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            await Task.Run(() =>
            {
                using var cache = directory.Open<int>();
                Fill(cache, 0);
                using var reader = MessageCache.OpenReadOnly<int>(directory);
                AssertValues(reader);
                Spoil(directory, place, new Random(seed));
                try
                {
                    AssertValues(reader);
                }
                catch (CacheCorruptedException exception)
                {
                    Assert.Contains("index", exception.File, StringComparison.Ordinal);
                }
            }).WaitAsync(Generous);
        }
    }

    // A segment that a lease names is not reused: sets wait for it, at most for their timeout.
    [Fact]
    public async Task Noise_in_the_leases_of_a_reader_delays_sets_until_it_has_closed()
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            await Task.Run(() =>
            {
                using var cache = directory.Open<int>(CacheDirectory.SmallWith(static options => options.SegmentTimeout = TimeSpan.FromMilliseconds(50)));
                Fill(cache, 0);
                using (var reader = MessageCache.OpenReadOnly<int>(directory))
                {
                    AssertValues(reader);
                    var leases = directory.FileOf("reader-*.pins");
                    Noise.Write(leases, 0, new FileInfo(leases).Length, new Random(seed));
                    for (var version = 1; version < 8; version++)
                    {
                        TryFill(cache, version);
                        AssertValues(cache);
                    }
                }

                for (var version = 8; version < 16; version++)
                {
                    Fill(cache, version);
                }

                AssertValues(cache);
                Assert.Equal(Keys, cache.Count);
            }).WaitAsync(Generous);
        }
    }

    [Fact]
    public async Task Noise_in_the_first_bytes_of_the_control_file_is_a_clear_exception_or_no_fault()
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            using var directory = new CacheDirectory();
            filled.CopyTo(directory);
            Noise.Write(Path.Combine(directory, "cache"), 0, ChangedBytes, new Random(seed));
            await Task.Run(() =>
            {
                try
                {
                    Use(directory, isWhole: true);
                }
                catch (Exception exception) when (exception is CacheCorruptedException or NotSupportedException)
                {
                    Assert.Contains(Path.Combine(directory, "cache"), exception.Message, StringComparison.Ordinal);
                }
            }).WaitAsync(Generous);
        }
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

    // The thread that makes and empties segments may need longer than the timeout on a busy machine.
    private static bool TryFill(MessageCache<int> cache, int version)
    {
        try
        {
            Fill(cache, version);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    private static void Fill(MessageCache<int> cache, int version)
    {
        for (var key = 0; key < Keys; key++)
        {
            cache.Set(key, BitConverter.GetBytes(version).Concat(Values.Of(key + version, 600)).ToArray(), key % 2 == 0 ? default : Tagged);
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
            // All slots, or those that are used.
            Noise.Write(control, ControlHeader.Bytes, random.Next(2) == 0 ? new FileInfo(control).Length : ControlHeader.Bytes + (UsedSlots * SlotState.Bytes), random);
        }

        if (place is "counts of absent slots")
        {
            for (var slot = 1_000; slot < 2_000; slot++)
            {
                Noise.Write(control, ControlHeader.Bytes + (slot * SlotState.Bytes) + 16, ControlHeader.Bytes + (slot * SlotState.Bytes) + 24, random);
            }

            // Those of the lanes of slots 1,000 to 1,999.
            const int OfSlot = CacheControl.CountLanes * sizeof(long);
            var lanes = ControlHeader.Bytes + (MessageCacheOptions.MaxSegments * SlotState.Bytes);
            Noise.Write(control, lanes + (1_000 * OfSlot), lanes + (2_000 * OfSlot), random);
        }

        if (place is "control" or "all")
        {
            Noise.Write(control, ChangedBytes, ControlHeader.Bytes, random);
        }

        if (place is "index" or "all")
        {
            Noise.Write(directory.FileOf("index.*"), random.Next(2) * 64, new FileInfo(directory.FileOf("index.*")).Length, random);
        }

        if (place is "tags" or "all")
        {
            Noise.Write(directory.FileOf("tags"), 0, random.Next(2) == 0 ? TagHeaderBytes : new FileInfo(directory.FileOf("tags")).Length, random);
        }

        if (place is "segments" or "all")
        {
            // The feature words of a header refuse the file, as they should.
            foreach (var segment in Directory.GetFiles(directory, "*.segment"))
            {
                var start = random.NextInt64(SegmentHeader.Bytes, CacheDirectory.SegmentBytes);
                Noise.Write(segment, start, Math.Min(start + random.Next(20_000), CacheDirectory.SegmentBytes), random);
            }
        }
    }

    /// <summary>A cache with all keys, which is closed.</summary>
    public sealed class FilledCache : IAsyncLifetime, IDisposable
    {
        private readonly CacheDirectory _directory = new();

        public Task InitializeAsync() => Task.Run(() =>
        {
            using var cache = _directory.Open<int>();
            Fill(cache, 0);
        }).WaitAsync(Generous);

        public Task DisposeAsync() => Task.CompletedTask;

        public void Dispose() => _directory.Dispose();

        internal void CopyTo(CacheDirectory directory) => _directory.CopyTo(directory);
    }
}
