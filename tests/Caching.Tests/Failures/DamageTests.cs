using System.Diagnostics;

namespace BufferedMessages.Caching.Tests;

public sealed class DamageTests : IDisposable
{
    private const int Keys = 300;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Flipped_bytes_are_misses_that_are_counted_and_never_other_values()
    {
        var random = new Random(11);
        var corrupt = 0L;
        for (var round = 0; round < 20; round++)
        {
            Fill();
            foreach (var file in Directory.GetFiles(_directory, "*.segment"))
            {
                var bytes = File.ReadAllBytes(file);
                for (var i = 0; i < 5; i++)
                {
                    bytes[random.Next(64, bytes.Length)] ^= (byte)(1 << random.Next(8));
                }

                File.WriteAllBytes(file, bytes);
            }

            using var cache = _directory.Open<int>();
            var found = Enumerable.Range(0, Keys).Count(i => cache.Read(i) is { } value && AssertValue(i, value));
            Assert.InRange(found, Keys / 2, Keys);
            corrupt += cache.GetStatistics().Corrupt;
        }

        Assert.True(corrupt > 0);
    }

    [Fact]
    public void A_record_that_is_damaged_before_it_is_carried_over_is_a_miss_after_the_restart()
    {
        const int Damaged = -1;
        var value = Values.Of(Damaged, 500);
        using (var cache = _directory.Open<int>())
        {
            cache.Set(Damaged, value);
            var place = FlipBitOf(value);

            // In steps: sets that run ahead of the thread that empties segments may leave it no room to carry the record.
            var isCarried = false;
            for (var i = 0; i < 5_000 && !isCarried; i++)
            {
                cache.Set(i % 10, Values.Of(i, 1_000));
                if (i % 10 == 0)
                {
                    Thread.Sleep(1);
                    isCarried = PlacesOf(value).Exists(other => other != place);
                }
            }

            Assert.True(isCarried);
        }

        using var again = _directory.Open<int>();
        Assert.Null(again.Read(Damaged));
        Assert.Equal(1, again.GetStatistics().Corrupt);
    }

    // Entries that are carried over count as whole from then on.
    [Fact]
    public void A_record_that_was_damaged_while_the_cache_was_closed_is_not_carried_over()
    {
        const int Damaged = -1;
        var value = Values.Of(Damaged, 500);
        using (var cache = _directory.Open<int>())
        {
            cache.Set(Damaged, value);
        }

        _ = FlipBitOf(value);

        using var again = _directory.Open<int>();
        for (var i = 0; i < 5_000 && again.GetStatistics().Evicted == 0; i++)
        {
            again.Set(i % 10, Values.Of(i, 1_000));
        }

        Assert.True(again.GetStatistics().Evicted > 0);
        Assert.Null(again.Read(Damaged));
    }

    // A process that asks the owner finds the entry each time it looks, because it cannot remove it.
    [Fact]
    public void A_damaged_entry_whose_value_is_created_anew_is_counted_once()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(SharingPart.Options);
        owner.Set(1, 5, new PaddedSerializer());
        Flip(300);

        Assert.Equal(6, other.GetOrCreate(1, static _ => 6, new PaddedSerializer()));

        var statistics = other.GetStatistics();
        Assert.Equal((1, 1, 0), (statistics.Corrupt, statistics.Misses, statistics.Hits));
        Assert.True(owner.TryGet(1, new PaddedSerializer(), out var value));
        Assert.Equal(6, value);
    }

    [Fact]
    public void A_segment_that_is_cut_off_or_missing_is_given_up()
    {
        Fill();
        var files = Directory.GetFiles(_directory, "*.segment").Order().ToList();
        File.Delete(files[0]);
        File.WriteAllBytes(files[1], new byte[100]);

        using var cache = _directory.Open<int>();

        Assert.All(Enumerable.Range(0, Keys), i => Assert.True(cache.Read(i) is not { } value || AssertValue(i, value)));
        cache.Set(1, Values.Of(1, 1_000));
        Assert.Equal(Values.Of(1, 1_000), cache.Read(1)!);
    }

    [Theory]
    [InlineData(0, "empty")]
    [InlineData(100, "100 bytes")]
    [InlineData(100_000, "other bytes")]
    public void A_control_file_that_is_none_is_one_clear_exception(int bytes, string fault)
    {
        Directory.CreateDirectory(_directory);
        File.WriteAllBytes(Path.Combine(_directory, "cache"), new byte[bytes]);

        var exception = Assert.Throws<CacheCorruptedException>(() => _directory.Open<int>());

        Assert.Contains(fault, exception.Message, StringComparison.Ordinal);
        Assert.EndsWith("cache", exception.File, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_pipe_in_the_place_of_the_control_file_is_refused_and_not_waited_for()
    {
        Directory.CreateDirectory(_directory);
        Process.Start("mkfifo", [CacheFiles.Control(_directory)]).WaitForExit();
        var opening = Task.Run(() =>
        {
            using var cache = _directory.Open<int>();
        });

        var exception = Assert.Throws<CacheCorruptedException>(() => opening.WaitAsync(TimeSpan.FromSeconds(60)).GetAwaiter().GetResult());

        Assert.Equal(CacheFiles.Control(_directory), exception.File);
        Assert.Contains("not a regular file", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cache", 8, 2, "version 2")]
    [InlineData("cache", 32, 1, "0x1")]
    [InlineData("*.segment", 24, 4, "0x4")]
    public void A_file_of_a_newer_program_is_refused_and_not_touched(string pattern, int offset, byte value, string reason)
    {
        Fill();
        var file = Directory.GetFiles(_directory, pattern).Order().First();
        var bytes = File.ReadAllBytes(file);
        bytes[offset] = value;
        File.WriteAllBytes(file, bytes);

        var exception = Assert.Throws<NotSupportedException>(() => _directory.Open<int>());

        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
        Assert.Contains("Update the BufferedMessages.Caching package", exception.Message, StringComparison.Ordinal);
        Assert.Contains(file, exception.Message, StringComparison.Ordinal);
        Assert.Equal(bytes, File.ReadAllBytes(file));
        Assert.Throws<NotSupportedException>(() =>
        {
            using var reader = MessageCache.OpenReadOnly<int>(_directory);
            ReadAll(reader);
        });
    }

    [Fact]
    public void A_read_that_is_refused_holds_no_lease()
    {
        Fill();
        foreach (var file in Directory.GetFiles(_directory, "*.segment"))
        {
            var bytes = File.ReadAllBytes(file);
            bytes[27] = 0x80;
            File.WriteAllBytes(file, bytes);
        }

        using var reader = MessageCache.OpenReadOnly<int>(_directory);

        // More than a process may hold at the same time.
        Assert.All(Enumerable.Range(0, 4_200), _ => Assert.Throws<NotSupportedException>(() => ReadAll(reader)));
    }

    [Theory]
    [InlineData("cache", 36)]
    [InlineData("*.segment", 28)]
    public void An_optional_feature_of_a_newer_program_is_ignored(string pattern, int offset)
    {
        Fill();
        foreach (var file in Directory.GetFiles(_directory, pattern))
        {
            var bytes = File.ReadAllBytes(file);
            bytes[offset] = 1;
            File.WriteAllBytes(file, bytes);
        }

        using var cache = _directory.Open<int>();

        Assert.All(Enumerable.Range(0, Keys), i => AssertValue(i, cache.Read(i)!));
    }

    [Fact]
    public void Every_read_is_verified_when_that_is_asked_for()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.VerifyEveryRead = true));
        cache.Set(1, Values.Of(1, 1_000));
        Assert.Equal(Values.Of(1, 1_000), cache.Read(1)!);
        Flip(300);

        Assert.Null(cache.Read(1));
        Assert.Equal(1, cache.GetStatistics().Corrupt);
    }

    [Fact]
    public void Every_entry_of_an_enumeration_is_verified_when_every_read_is()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.VerifyEveryRead = true));
        using var reader = MessageCache.OpenReadOnly<int>(_directory);
        cache.Set(1, Values.Of(1, 1_000));
        Assert.Equal(Values.Of(1, 1_000), cache.Read(1)!);
        Assert.Equal([1], reader.Keys);
        Flip(300);

        Assert.Empty(reader.Keys);
        Assert.Empty(cache.Keys);
    }

    // Its time may be after the end of the calendar.
    [Fact]
    public void An_enumeration_passes_over_an_entry_whose_expiry_is_damaged()
    {
        const int OffsetOfExpiry = 24;
        using var cache = _directory.Open<int>();
        cache.Set(1, Values.Of(1, 1_000), CacheExpiry.After(TimeSpan.FromHours(1)));
        Flip(SegmentHeader.Bytes + OffsetOfExpiry);

        Assert.Empty(cache.Keys);
    }

    private static bool AssertValue(int key, byte[] value)
    {
        Assert.Equal(Values.Of(key, 1_000), value);
        return true;
    }

    private void Flip(int offset)
    {
        foreach (var file in Directory.GetFiles(_directory, "*.segment"))
        {
            using var stream = new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            stream.Position = offset;
            var value = stream.ReadByte();
            stream.Position = offset;
            stream.WriteByte((byte)(value ^ 1));
        }
    }

    // The file may be open and mapped.
    // Changes the value in its segment and here alike, and returns its place.
    private (string File, int Offset) FlipBitOf(byte[] value)
    {
        var place = Assert.Single(PlacesOf(value));
        value[100] ^= 4;
        using var segment = File.OpenHandle(place.File, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.Write(segment, value.AsSpan(100, 1), place.Offset + 100);
        return place;
    }

    private List<(string File, int Offset)> PlacesOf(byte[] value)
    {
        var places = new List<(string, int)>();
        foreach (var file in Directory.GetFiles(_directory, "*.segment"))
        {
            using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            var bytes = new byte[stream.Length];
            stream.ReadExactly(bytes);
            if (bytes.AsSpan().IndexOf(value) is var offset and >= 0)
            {
                places.Add((file, offset));
            }
        }

        return places;
    }

    private static void ReadAll(MessageCache<int> cache)
    {
        for (var i = 0; i < Keys; i++)
        {
            cache.Read(i);
        }
    }

    private void Fill()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < Keys; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }
    }
}
