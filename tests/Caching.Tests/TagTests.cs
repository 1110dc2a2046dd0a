namespace BufferedMessages.Caching.Tests;

public sealed class TagTests : IDisposable
{
    private static readonly NumberSerializer Numbers = new();
    private static readonly CacheExpiry Warm = CacheExpiry.Never with { Tags = ["warm", "color"] };
    private static readonly CacheExpiry Cold = CacheExpiry.Never with { Tags = ["cold", "color"] };

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Entries_with_a_removed_tag_are_gone_and_the_others_are_not()
    {
        using var cache = _directory.Open<string>();
        cache.Set("red", Values.Of(1, 101), Warm);
        cache.Set("blue", Values.Of(2, 102), Cold);
        cache.Set("none", Values.Of(3, 103));
        Assert.Equal(Values.Of(1, 101), cache.Read("red")!);

        cache.RemoveByTag("warm");

        Assert.False(cache.Contains("red"));
        Assert.Equal(["blue", "none"], cache.Keys.Order());
        Assert.Null(cache.Read("red"));
        Assert.Equal(Values.Of(2, 102), cache.Read("blue")!);
        Assert.Equal(2, cache.Count);
        Assert.Equal(1, cache.GetStatistics().Expired);
        cache.RemoveByTag("color");
        Assert.Null(cache.Read("blue"));
        Assert.Equal(Values.Of(3, 103), cache.Read("none")!);
    }

    [Fact]
    public void A_removed_entry_is_not_there_for_removals_and_touches_either()
    {
        using var cache = _directory.Open<string>();
        cache.Set("red", "value"u8, Warm);
        cache.Set("blue", "value"u8, Warm);
        Assert.True(cache.Touch("red"));
        cache.RemoveByTag("warm");

        Assert.False(cache.Touch("red"));
        Assert.False(cache.Touch("red", CacheExpiry.After(TimeSpan.FromMinutes(1))));
        Assert.False(cache.Remove("blue"));
        Assert.Equal(1, cache.Count);
    }

    [Fact]
    public void An_entry_that_is_set_after_its_tag_was_removed_is_there()
    {
        using var cache = _directory.Open<string>();
        for (var i = 0; i < 20; i++)
        {
            cache.Set("red", [(byte)i], Warm);
            Assert.Equal([(byte)i], cache.Read("red")!);
            cache.RemoveByTag("warm");
            Assert.Null(cache.Read("red"));
        }
    }

    [Fact]
    public void Every_kind_of_value_and_expiry_has_tags()
    {
        using var cache = _directory.Open<string>(CacheDirectory.SmallWith(options => (options.TimeProvider, options.DefaultExpiry) = (_clock, CacheExpiry.After(TimeSpan.FromMinutes(1)))));
        cache.Set("message", new Order { Id = 7, Note = "a" }, CacheExpiry.Sliding(TimeSpan.FromMinutes(1)) with { Tags = ["t"] });
        cache.Set("number", 5, Numbers, CacheExpiry.After(TimeSpan.FromMinutes(1)) with { Tags = ["t"], StaleIfError = TimeSpan.FromMinutes(1) });
        cache.Set("default", "value"u8, default(CacheExpiry) with { Tags = ["t"] });
        cache.Set("pieces", new System.Buffers.ReadOnlySequence<byte>([1, 2]), CacheExpiry.Never with { Tags = ["u", "t"] });
        Assert.True(cache.TryGet<OrderBufferedMessage, string>("message", static view => view.Note!.ToString()!, out var note));
        Assert.Equal("a", note);
        Assert.True(cache.TryGet("number", Numbers, out var number));
        Assert.Equal(5, number);
        Assert.Equal("value"u8, cache.Read("default")!);

        cache.RemoveByTag("t");

        Assert.Empty(cache.Keys);
        Assert.All(new[] { "message", "number", "default", "pieces" }, key => Assert.Null(cache.Read(key)));
        Assert.Equal(0, cache.Count);
        cache.Set("default", "value"u8, default(CacheExpiry) with { Tags = ["t"] });
        _clock.Now += TimeSpan.FromMinutes(1);
        Assert.Null(cache.Read("default"));
    }

    [Fact]
    public void A_removed_value_is_not_served_as_a_stale_one()
    {
        using var cache = _directory.Open<string>(CacheDirectory.SmallWith(options => options.TimeProvider = _clock));
        var expiry = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.FromHours(1), StaleWhileRevalidate = TimeSpan.FromHours(1), Tags = ["t"] };
        cache.Set("key", 5, Numbers, expiry);
        _clock.Now += TimeSpan.FromMinutes(2);
        cache.RemoveByTag("t");

        Assert.Throws<FormatException>(() => cache.GetOrCreate("key", _ => throw new FormatException("failed"), Numbers, expiry));
        Assert.Equal(6, cache.GetOrCreate("key", _ => 6, Numbers, expiry));
    }

    [Fact]
    public async Task A_value_whose_creation_began_before_its_tag_was_removed_is_returned_and_not_kept()
    {
        using var cache = _directory.Open<string>();
        cache.Set("other", 1, Numbers, Warm);
        int Create(string key)
        {
            cache.RemoveByTag("warm");
            return 5;
        }

        Assert.Equal(5, cache.GetOrCreate("red", Create, Numbers, Warm));
        Assert.False(cache.Contains("red"));
        Assert.Equal(5, await cache.GetOrCreateAsync("red", (key, _) => ValueTask.FromResult(Create(key)), Numbers, Warm));
        Assert.False(cache.Contains("red"));
        Assert.Equal(6, cache.GetOrCreate("red", _ => 6, Numbers, Warm));
        Assert.True(cache.Contains("red"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_call_after_a_removal_does_not_get_a_value_whose_creation_began_before_it(bool isThread)
    {
        using var cache = _directory.Open<string>();
        var begun = new TaskCompletionSource();
        var released = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await released.Task;
            return 5;
        }

        var before = cache.GetOrCreateAsync("red", CreateAsync, Numbers, Warm).AsTask();
        await begun.Task;
        cache.RemoveByTag("warm");
        Thread? waiting = null;
        var after = isThread
            ? Task.Factory.StartNew(() => { Volatile.Write(ref waiting, Thread.CurrentThread); return cache.GetOrCreate("red", static _ => 6, Numbers, Warm); }, TaskCreationOptions.LongRunning)
            : cache.GetOrCreateAsync("red", static (_, _) => ValueTask.FromResult(6), Numbers, Warm).AsTask();
        Assert.True(!isThread || SpinWait.SpinUntil(() => Volatile.Read(ref waiting) is { } thread && (thread.ThreadState & ThreadState.WaitSleepJoin) != 0, TimeSpan.FromSeconds(60)));
        released.SetResult();

        Assert.Equal(5, await before);
        Assert.Equal(6, await after);
        Assert.Equal(6, cache.GetOrCreate("red", static _ => 7, Numbers, Warm));
    }

    [Fact]
    public void The_first_removal_by_a_tag_ends_a_value_that_is_being_created_too()
    {
        using var cache = _directory.Open<string>();
        int Create(string key)
        {
            cache.RemoveByTag("warm");
            return 5;
        }

        Assert.Equal(5, cache.GetOrCreate("red", Create, Numbers, Warm));
        Assert.False(cache.Contains("red"));
        Assert.Equal(6, cache.GetOrCreate("red", _ => 6, Numbers, Warm));
        Assert.True(cache.Contains("red"));
    }

    [Fact]
    public void The_first_value_with_tags_that_is_created_is_kept()
    {
        using var cache = _directory.Open<string>();

        Assert.Equal(5, cache.GetOrCreate("red", _ => 5, Numbers, Warm));

        Assert.True(cache.Contains("red"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Removals_hold_after_a_restart_also_when_the_index_is_lost(bool isLost)
    {
        using (var cache = _directory.Open<string>())
        {
            cache.Set("red", "set"u8, Warm);
            cache.Set("blue", "set"u8, Cold);
            cache.RemoveByTag("warm");
        }

        if (isLost)
        {
            File.Delete(_directory.FileOf("index.*"));
        }

        using var again = _directory.Open<string>();
        Assert.Null(again.Read("red"));
        Assert.Equal("set"u8, again.Read("blue")!);
        again.Set("red", "again"u8, Warm);
        Assert.Equal("again"u8, again.Read("red")!);
    }

    [Fact]
    public void Removals_hold_after_the_process_was_killed()
    {
        var confirmed = -1;
        using (var writer = ChildProcess.Start(Parts.RemoveTags, _directory))
        {
            for (var i = 0; i < 20; i++)
            {
                confirmed = int.Parse(writer.Hear()!, System.Globalization.CultureInfo.InvariantCulture);
                if (i < 19)
                {
                    writer.Tell();
                }
            }
        }

        using var cache = _directory.Open<int>();
        for (var tag = 0; tag < Parts.Tags; tag++)
        {
            Assert.Equal(tag % 2 == confirmed % 2 ? null : Values.Of(confirmed, 100), cache.Read(tag));
        }
    }

    [Fact]
    public void Tags_are_carried_over_and_removed_entries_are_not()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 1_000; i++)
        {
            cache.Set(1000 + (i % 10), Values.Of(i, 1_000));
            if (i % 10 == 0)
            {
                cache.Set(i / 10, Values.Of(i / 10, 20), i % 20 == 0 ? Warm : Cold);
            }
        }

        cache.RemoveByTag("warm");
        for (var i = 0; i < 5_000; i++)
        {
            cache.Set(1000 + (i % 10), Values.Of(i, 1_000));
        }

        Assert.True(cache.GetStatistics() is { Carried: >= 25, Evicted: 0 });
        Assert.All(Enumerable.Range(0, 100), key => Assert.Equal(key % 2 == 0 ? null : Values.Of(key, 20), cache.Read(key)));
        cache.RemoveByTag("cold");
        Assert.All(Enumerable.Range(0, 100), key => Assert.Null(cache.Read(key)));
    }

    [LinuxFact]
    public void Copies_of_entries_that_are_not_in_memory_lose_their_tag_too()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.DiskBytes = 256 * CacheDirectory.SegmentBytes));
        for (var i = 0; i < 6_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000), i % 2 == 0 ? Warm : Cold);
        }

        for (var i = 0; i < 30_000; i++)
        {
            var key = i * 997 % 6_000;
            Assert.Equal(Values.Of(key, 1_000), cache.Read(key)!);
        }

        cache.RemoveByTag("warm");
        Assert.All(Enumerable.Range(0, 6_000), key => Assert.Equal(key % 2 == 0, cache.Read(key) is null));
    }

    [Fact]
    public void All_processes_of_a_shared_cache_see_and_make_removals()
    {
        using var owner = _directory.Open<string>(CacheDirectory.SmallWith(options => options.Shared = true));
        using var other = _directory.Open<string>(CacheDirectory.SmallWith(options => options.Shared = true));
        using var reader = MessageCache.OpenReadOnly<string>(_directory);
        other.RemoveByTag("warm");
        for (var i = 0; i < 10; i++)
        {
            var (one, two) = i % 2 == 0 ? (owner, other) : (other, owner);
            one.Set("red", [(byte)i], Warm);
            two.Set("blue", [(byte)i], Cold);
            Assert.Equal([(byte)i], two.Read("red")!);
            Assert.Equal([(byte)i], reader.Read("red")!);

            two.RemoveByTag("warm");

            Assert.All(new[] { owner, other, reader }, cache => Assert.Null(cache.Read("red")));
            Assert.All(new[] { owner, other, reader }, cache => Assert.Equal([(byte)i], cache.Read("blue")!));
        }

        Assert.Throws<InvalidOperationException>(() => reader.RemoveByTag("cold"));
    }

    [Theory]
    [InlineData("deleted")]
    [InlineData("zeros")]
    [InlineData("cut off")]
    [InlineData("noise")]
    [InlineData("noise after the header")]
    public void With_a_damaged_file_of_tags_entries_are_missed_and_sets_go_on(string damage)
    {
        using (var cache = _directory.Open<string>())
        {
            cache.Set("red", "set"u8, Warm);
            cache.Set("none", "set"u8);
            cache.RemoveByTag("warm");
        }

        var path = _directory.FileOf("tags");
        var bytes = File.ReadAllBytes(path);
        switch (damage)
        {
            case "deleted":
                File.Delete(path);
                break;
            case "zeros":
                File.WriteAllBytes(path, new byte[bytes.Length]);
                break;
            case "cut off":
                File.WriteAllBytes(path, bytes[..100]);
                break;
            default:
                new Random(5).NextBytes(bytes.AsSpan(damage == "noise" ? 0 : 128));
                File.WriteAllBytes(path, bytes);
                break;
        }

        using var again = _directory.Open<string>();
        Assert.Null(again.Read("red"));
        Assert.Equal("set"u8, again.Read("none")!);
        for (var i = 0; i < 3; i++)
        {
            again.Set("red", [(byte)i], Warm);
            Assert.Equal([(byte)i], again.Read("red")!);
            again.RemoveByTag("color");
            Assert.Null(again.Read("red"));
        }
    }

    // A system that does not delete a file which another process has mapped keeps the damaged one.
    [LinuxFact]
    public void A_process_that_only_reads_finds_the_file_of_tags_that_replaces_a_damaged_one()
    {
        using (var writer = _directory.Open<string>())
        {
            writer.Set("red", "first"u8, Warm);
        }

        using var reader = MessageCache.OpenReadOnly<string>(_directory);
        Assert.Equal("first"u8, reader.Read("red")!);
        using (var file = new FileStream(_directory.FileOf("tags"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
        {
            file.Write(new byte[8]);
        }

        using var again = _directory.Open<string>();
        again.Set("red", "second"u8, Warm);
        Assert.Equal("second"u8, reader.Read("red")!);
        again.RemoveByTag("warm");
        Assert.Null(reader.Read("red"));
    }

    [Fact]
    public void A_cache_without_tags_has_no_file_of_them()
    {
        using var cache = _directory.Open<string>();
        cache.Set("key", "value"u8);
        cache.Read("key");

        Assert.Empty(Directory.GetFiles(_directory, "tags"));
    }

    [Fact]
    public void Tags_are_read_back_and_their_limits_are_said()
    {
        Assert.Equal(["warm", "color"], Warm.Tags.ToArray());
        Assert.Empty(default(CacheExpiry).Tags);
        Assert.Empty((Warm with { Tags = [] }).Tags);
        Assert.Equal(["warm"], (CacheExpiry.Never with { Tags = [.. Enumerable.Repeat("warm", 40)] }).Tags.ToArray());
        Assert.Throws<ArgumentException>(() => CacheExpiry.Never with { Tags = [""] });
        Assert.Throws<ArgumentException>(() => CacheExpiry.Never with { Tags = [.. Enumerable.Range(0, 33).Select(static i => $"{i}")] });
        using var cache = _directory.Open<string>();
        cache.Set("key", "value"u8, CacheExpiry.Never with { Tags = [.. Enumerable.Range(0, 32).Select(static i => $"{i}")] });
        Assert.Throws<ArgumentException>(() => cache.Touch("key", Warm));
        Assert.Throws<ArgumentException>(() => cache.RemoveByTag(""));
        cache.RemoveByTag("31");
        Assert.Null(cache.Read("key"));
    }
}
