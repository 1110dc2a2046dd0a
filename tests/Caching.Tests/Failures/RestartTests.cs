using System.Globalization;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

public sealed class RestartTests : IDisposable
{
    private const int Keys = 500;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Values_that_were_set_are_there_after_a_restart()
    {
        using (var cache = _directory.Open<int>())
        {
            Fill(cache);
        }

        using var again = _directory.Open<int>();
        AssertFilled(again);
        Assert.Equal(1, Generation());
    }

    [Fact]
    public void Many_restarts_lose_nothing_and_use_no_further_segments()
    {
        using (var cache = _directory.Open<int>())
        {
            Fill(cache);
        }

        for (var i = 0; i < 40; i++)
        {
            using var again = _directory.Open<int>();
            again.Set(Keys + i, [1]);
        }

        using var last = _directory.Open<int>();
        AssertFilled(last, Keys + 40);
        Assert.Equal(0, last.GetStatistics().Evicted);
    }

    [Theory]
    [InlineData("index missing")]
    [InlineData("index cut off")]
    [InlineData("index of zeros")]
    [InlineData("index of noise")]
    [InlineData("links damaged")]
    [InlineData("machine crashed")]
    public void A_lost_index_is_rebuilt_with_the_newest_of_each_key_and_without_what_was_removed(string damage)
    {
        using (var cache = _directory.Open<int>())
        {
            Fill(cache, offset: 7_000);
            for (var key = 0; key < 2 * Keys; key += 3)
            {
                cache.Set(Keys + key, Values.Of(key, 10));
            }

            Fill(cache);
            for (var key = 0; key < 2 * Keys; key += 3)
            {
                cache.Remove(Keys + key);
            }
        }

        Damage(damage);
        using var again = _directory.Open<int>();
        AssertFilled(again);
        Assert.Equal(2, Generation());
        Assert.Equal(0, again.GetStatistics().Corrupt);
    }

    [Fact]
    public void Entries_that_were_cleared_stay_so_when_the_index_is_lost()
    {
        using (var cache = _directory.Open<int>())
        {
            Fill(cache);
            cache.Clear();
            cache.Set(3, "new"u8);
        }

        File.Delete(_directory.FileOf("index.*"));
        using var again = _directory.Open<int>();

        Assert.Equal(1, again.Count);
        Assert.Equal("new"u8, again.Read(3)!);
    }

    [Fact]
    public void The_first_set_with_tags_of_a_disposed_cache_says_so_while_a_lease_is_open()
    {
        var cache = _directory.Open<int>();
        cache.Set(1, "value"u8);
        Assert.True(cache.TryGet(1, out var lease));
        using (lease)
        {
            cache.Dispose();
            Assert.Throws<ObjectDisposedException>(() => cache.Set(2, "value"u8, CacheExpiry.Never with { Tags = ["tag"] }));
        }

        Assert.Empty(Directory.GetFiles(_directory, "tags"));
    }

    [Fact]
    public void A_disposed_cache_changes_nothing_in_the_files_of_the_next_one()
    {
        var cache = _directory.Open<int>();
        Fill(cache);
        cache.Set(Keys, Values.Of(Keys, 10), CacheExpiry.Never with { Tags = ["tag"] });
        cache.Dispose();

        using (var next = _directory.Open<int>())
        {
            Assert.Throws<ObjectDisposedException>(cache.Clear);
            Assert.Throws<ObjectDisposedException>(() => cache.RemoveByTag("tag"));
            Assert.Throws<ObjectDisposedException>(() => cache.Remove(1));
            Assert.True(next.Contains(Keys));
        }

        File.Delete(_directory.FileOf("index.*"));
        using var rebuilt = _directory.Open<int>();
        AssertFilled(rebuilt, Keys + 1);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(4)]
    public void A_set_that_was_killed_does_not_bring_a_removed_entry_back_when_the_index_is_lost(int filled)
    {
        using var killed = new CacheDirectory();
        using (var cache = CacheOpening.Open(_directory, CacheKey.KindOf<int>(), CacheDirectory.Small))
        {
            var writer = cache.RequireWriter();
            Set(writer, 1, Values.Of(1, 1));
            var begun = Begin(writer, 1, Values.Of(2, 1));
            for (var i = 0; i < filled; i++)
            {
                Set(writer, 2 + i, Values.Of(i, 60_000));
            }

            AwaitSegments(Math.Max(filled, 1));

            // The process is killed after the record is committed, before the index leads to it.
            begun.Commit(begun.Summarize(), cache.Store.Control.Header.Sequence += 256);
            _directory.CopyTo(killed);
            writer.Abandon(in begun);
        }

        using (var again = killed.Open<int>())
        {
            Assert.Equal(Values.Of(1, 1), again.Read(1)!);
            Assert.True(again.Remove(1));
        }

        File.Delete(killed.FileOf("index.*"));
        using var rebuilt = killed.Open<int>();
        Assert.Null(rebuilt.Read(1));
        Assert.Equal(filled, rebuilt.Count);
    }

    // After a crash of the machine the table of slots may be newer than the slot of the segment for new entries: that segment was full then.
    [Fact]
    public void A_set_that_was_killed_in_a_segment_whose_end_was_noted_does_not_bring_a_removed_entry_back_either()
    {
        using (var cache = _directory.Open<int>())
        {
            cache.Set(1, Values.Of(1, 1));
        }

        NoteEndOfActive();
        using var killed = new CacheDirectory();
        using (var cache = CacheOpening.Open(_directory, CacheKey.KindOf<int>(), CacheDirectory.Small))
        {
            var begun = Begin(cache.RequireWriter(), 1, Values.Of(2, 1));
            AwaitSegments(1);
            begun.Commit(begun.Summarize(), cache.Store.Control.Header.Sequence += 256);
            _directory.CopyTo(killed);
            cache.RequireWriter().Abandon(in begun);
        }

        using (var again = killed.Open<int>())
        {
            Assert.True(again.Remove(1));
        }

        File.Delete(killed.FileOf("index.*"));
        using var rebuilt = killed.Open<int>();
        Assert.Null(rebuilt.Read(1));
    }

    [Fact]
    public void Rebuilding_after_much_recycling_gives_what_was_there_and_nothing_that_was_removed_or_replaced()
    {
        var set = new Dictionary<int, byte[]>();
        using (var cache = _directory.Open<int>())
        {
            var random = new Random(5);
            for (var i = 0; i < 60_000; i++)
            {
                var key = random.Next(5_000);
                switch (random.Next(4))
                {
                    case 0:
                        cache.Remove(key);
                        set.Remove(key);
                        break;
                    case 1:
                        cache.Read(key);
                        break;
                    default:
                        set[key] = Values.Of(i, random.Next(1_000));
                        cache.Set(key, set[key]);
                        break;
                }
            }

            Assert.True(cache.GetStatistics() is { Evicted: > 0, Carried: > 0 });
        }

        List<int> there;
        using (var before = MessageCache.OpenReadOnly<int>(_directory))
        {
            there = [.. before.Keys];
        }

        File.Delete(_directory.FileOf("index.*"));
        using var again = _directory.Open<int>();

        // Recycling continues at once. Entries that were just being evicted when the cache was closed may be back.
        Assert.InRange(there.Count(again.Contains), there.Count - again.GetStatistics().Evicted, there.Count);
        Assert.All(again.Keys, key => Assert.True(again.Read(key) is not { } value || value.AsSpan().SequenceEqual(set[key])));
        Assert.True(again.Count > there.Count / 2);
    }

    [Fact]
    public void A_smaller_disk_budget_makes_the_cache_smaller()
    {
        using (var cache = _directory.Open<int>())
        {
            for (var i = 0; i < 2_000; i++)
            {
                cache.Set(i, Values.Of(i, 1_000));
            }
        }

        using (var smaller = _directory.Open<int>(CacheDirectory.SmallWith(options => options.DiskBytes = 8 * CacheDirectory.SegmentBytes)))
        {
            Assert.True(smaller.GetStatistics().DiskBytes <= 8 * CacheDirectory.SegmentBytes);
            Assert.Equal(8, Directory.GetFiles(_directory, "*.segment").Length);
            Assert.Equal(Values.Of(1_999, 1_000), smaller.Read(1_999)!);
        }

        using var larger = _directory.Open<int>();
        for (var i = 0; i < 700; i++)
        {
            larger.Set(i, Values.Of(i, 1_000));
        }

        Assert.All(Enumerable.Range(0, 700), i => Assert.Equal(Values.Of(i, 1_000), larger.Read(i)));
    }

    [Fact]
    public void A_writer_that_is_killed_loses_nothing_that_was_acknowledged()
    {
        for (var round = 0; round < 5; round++)
        {
            var last = -1;
            using (var writer = ChildProcess.Start(Parts.Write, _directory))
            {
                for (var i = 0; i < 200 + (round * 700); i++)
                {
                    last = int.Parse(writer.Hear()!, CultureInfo.InvariantCulture);
                }
            }

            using var cache = _directory.Open<int>();
            for (var i = Math.Max(0, last - 200); i <= last; i++)
            {
                // The process may have set the same key again.
                var value = cache.Read(i % Parts.WrittenKeys);
                Assert.NotNull(value);
                Assert.Contains(Enumerable.Range(0, 200), turn => value.AsSpan().SequenceEqual(Values.Of(i + (turn * Parts.WrittenKeys), 100 + ((i + (turn * Parts.WrittenKeys)) % 900))));
            }
        }
    }

    private static Reservation Begin(CacheWriter writer, int key, byte[] value)
    {
        var bytes = BitConverter.GetBytes(key);
        var reservation = writer.Reserve(bytes, XxHash64.Hash(bytes), value.Length, schema: 0, CacheExpiry.Never);
        value.CopyTo(reservation.Value);
        return reservation;
    }

    private static void Set(CacheWriter writer, int key, byte[] value)
    {
        var reservation = Begin(writer, key, value);
        writer.Publish(in reservation, BitConverter.GetBytes(key));
    }

    private static void Fill(MessageCache<int> cache, int offset = 0)
    {
        for (var i = 0; i < Keys; i++)
        {
            cache.Set(i, Values.Of(i + offset, i));
        }
    }

    private static void AssertFilled(MessageCache<int> cache, int count = Keys)
    {
        Assert.Equal(count, cache.Count);
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal(Values.Of(i, i), cache.Read(i)));
    }

    // Two free segments are kept ready. A file that is just being made cannot be copied.
    private void AwaitSegments(int filled) =>
        Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(_directory, "*.segment").Length == filled + 2, TimeSpan.FromSeconds(60)));

    private unsafe void NoteEndOfActive()
    {
        using var control = MappedFile.Open(CacheFiles.Control(_directory));
        var slot = ((ControlHeader*)control.Start)->ActiveSlot;
        ((SlotState*)(control.Start + ControlHeader.Bytes))[slot].EndUnits = 1_000;
    }

    private int Generation() => int.Parse(Path.GetExtension(_directory.FileOf("index.*")).AsSpan(1), CultureInfo.InvariantCulture);

    private unsafe void Damage(string damage)
    {
        var index = _directory.FileOf("index.*");
        switch (damage)
        {
            case "index missing":
                File.Delete(index);
                break;
            case "index cut off":
                File.WriteAllBytes(index, File.ReadAllBytes(index)[..5_000]);
                break;
            case "index of zeros":
                File.WriteAllBytes(index, new byte[new FileInfo(index).Length]);
                break;
            case "index of noise":
                // The header is unchanged.
                var noise = File.ReadAllBytes(index);
                new Random(3).NextBytes(noise.AsSpan(64));
                File.WriteAllBytes(index, noise);
                break;
            case "links damaged":
                var bytes = File.ReadAllBytes(index);
                bytes[64 + 56] = 99;
                File.WriteAllBytes(index, bytes);
                break;
            default:
                using (var control = MappedFile.Open(CacheFiles.Control(_directory)))
                {
                    ((ControlHeader*)control.Start)->Boot = Guid.NewGuid();
                }

                break;
        }
    }
}
