using System.Buffers;
using System.Text;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching.Tests.Distributed;

/// <summary>The contract of the framework's distributed cache, tested on its own cache in memory and on ours.</summary>
public sealed class DistributedContractTests : IDisposable
{
    private static readonly DistributedCacheEntryOptions Forever = new();

    // The framework's scan for expired entries runs in another thread. An entry that is replaced meanwhile may be lost.
    private static readonly TimeSpan Never = TimeSpan.FromDays(100_000);

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();
    private readonly MessageCache<string> _store;

    public DistributedContractTests() => _store = _directory.Open<string>(CacheDirectory.SmallWith(options => options.TimeProvider = _clock));

    public static TheoryData<string> Both { get; } = ["memory", "ours"];

    public void Dispose()
    {
        _store.Dispose();
        _directory.Dispose();
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Values_that_were_set_are_got_by_every_kind_of_call(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1, 2], Forever);
        await cache.SetAsync("b", [3], Forever);

        Assert.Equal([1, 2], cache.Get("a"));
        Assert.Equal([1, 2], await cache.GetAsync("a"));
        Assert.Equal([3], cache.Get("b"));
        Assert.Equal([3], await cache.GetAsync("b"));
        Assert.Null(cache.Get("c"));
        Assert.Null(await cache.GetAsync("c"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void Keys_are_told_apart_and_may_be_anything_a_text_can_be(string which)
    {
        var cache = Create(which);
        string[] keys = ["", " ", "a", "A", "a ", "ä", "a\u0308", "\0", "\U0001F4E6", new('k', 10_000), new string('k', 10_000) + "2"];
        for (var i = 0; i < keys.Length; i++)
        {
            cache.Set(keys[i], [(byte)i], Forever);
        }

        Assert.All(keys.Index(), key => Assert.Equal([(byte)key.Index], cache.Get(key.Item)!));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void An_empty_value_is_no_miss(string which)
    {
        var cache = Create(which);
        cache.Set("a", [], Forever);

        Assert.Equal([], cache.Get("a")!);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task The_value_set_last_counts_and_what_is_removed_is_gone(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], Forever);
        cache.Set("a", [2, 2], Forever);
        Assert.Equal([2, 2], cache.Get("a"));

        cache.Remove("a");
        Assert.Null(cache.Get("a"));
        await cache.SetAsync("a", [3], Forever);
        await cache.RemoveAsync("a");
        Assert.Null(await cache.GetAsync("a"));
        cache.Remove("never there");
        await cache.RemoveAsync("never there");
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void A_value_that_is_got_is_not_changed_by_setting_another(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], Forever);
        var value = cache.Get("a");
        cache.Set("a", [2], Forever);

        Assert.Equal([1], value);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void An_absolute_time_ends_an_entry(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], new() { AbsoluteExpiration = _clock.Now.AddMinutes(1) });
        cache.Set("b", [1], new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(1) });

        Pass(TimeSpan.FromSeconds(59));
        Assert.NotNull(cache.Get("a"));
        Assert.NotNull(cache.Get("b"));
        Pass(TimeSpan.FromSeconds(1));
        Assert.Null(cache.Get("a"));
        Assert.Null(cache.Get("b"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void Of_two_absolute_times_the_earlier_counts(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], new() { AbsoluteExpiration = _clock.Now.AddMinutes(1), AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(3) });
        cache.Set("b", [1], new() { AbsoluteExpiration = _clock.Now.AddMinutes(3), AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(1) });

        Pass(TimeSpan.FromMinutes(2));

        Assert.Null(cache.Get("a"));
        Assert.Null(cache.Get("b"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Reads_and_refreshes_prolong_a_sliding_entry(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], new() { SlidingExpiration = TimeSpan.FromMinutes(1) });
        Action[] uses = [() => cache.Get("a"), () => cache.Refresh("a")];
        Func<Task>[] asyncUses = [() => cache.GetAsync("a"), () => cache.RefreshAsync("a")];
        foreach (var use in uses)
        {
            Pass(TimeSpan.FromSeconds(50));
            use();
        }

        foreach (var use in asyncUses)
        {
            Pass(TimeSpan.FromSeconds(50));
            await use();
        }

        Pass(TimeSpan.FromSeconds(50));
        Assert.NotNull(cache.Get("a"));
        Pass(TimeSpan.FromSeconds(60));
        Assert.Null(cache.Get("a"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void A_sliding_entry_ends_at_its_absolute_time(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], new() { SlidingExpiration = TimeSpan.FromMinutes(1), AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(100) });

        Pass(TimeSpan.FromSeconds(50));
        Assert.NotNull(cache.Get("a"));
        Pass(TimeSpan.FromSeconds(49));
        Assert.NotNull(cache.Get("a"));
        Pass(TimeSpan.FromSeconds(1));
        Assert.Null(cache.Get("a"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void An_entry_set_with_a_past_time_is_not_there_and_neither_is_the_one_before(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], Forever);
        cache.Set("a", [2], new() { AbsoluteExpiration = _clock.Now.AddSeconds(-1) });

        Assert.Null(cache.Get("a"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void An_entry_set_again_has_the_new_expiry_only(string which)
    {
        var cache = Create(which);
        cache.Set("a", [1], new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(1) });
        cache.Set("a", [2], Forever);

        Pass(TimeSpan.FromMinutes(2));

        Assert.Equal([2], cache.Get("a"));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Nulls_are_argument_exceptions(string which)
    {
        var cache = Create(which);

        Assert.Throws<ArgumentNullException>(() => cache.Get(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Set(null!, [], Forever));
        Assert.Throws<ArgumentNullException>(() => cache.Set("a", null!, Forever));
        Assert.Throws<ArgumentNullException>(() => cache.Set("a", [], null!));
        Assert.Throws<ArgumentNullException>(() => cache.Remove(null!));
        Assert.Throws<ArgumentNullException>(() => cache.Refresh(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.GetAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.SetAsync(null!, [], Forever));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.SetAsync("a", null!, Forever));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.SetAsync("a", [], null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.RemoveAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => cache.RefreshAsync(null!));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Texts_by_the_extension_methods_are_there(string which)
    {
        var cache = Create(which);
        cache.SetString("a", "grün");

        Assert.Equal("grün", await cache.GetStringAsync("a"));
    }

    [Fact]
    public void Random_programs_see_the_same_in_both()
    {
        var (theirs, ours) = (Create("memory"), Create("ours"));
        var random = new Random(5);
        for (var step = 0; step < 5_000; step++)
        {
            var key = random.Next(20).ToString();
            switch (random.Next(6))
            {
                case 0:
                    var value = new byte[random.Next(50)];
                    random.NextBytes(value);
                    var options = RandomOptions(random);
                    theirs.Set(key, value, options);
                    ours.Set(key, value, options);
                    break;
                case 1:
                    theirs.Remove(key);
                    ours.Remove(key);
                    break;
                case 2:
                    theirs.Refresh(key);
                    ours.Refresh(key);
                    break;
                case 3:
                    Pass(TimeSpan.FromSeconds(random.Next(40)));
                    break;
                default:
                    Assert.Equal(theirs.Get(key), ours.Get(key));
                    break;
            }
        }
    }

    [Fact]
    public async Task Values_go_in_and_out_by_buffers()
    {
        var cache = Ours();
        var first = new Piece([1, 2]);
        var value = new ReadOnlySequence<byte>(first, 0, first.Append([]).Append([3, 4, 5]), 3);
        cache.Set("a", value, Forever);
        await cache.SetAsync("b", value.Slice(1, 3), Forever);

        var read = new ArrayBufferWriter<byte>();
        Assert.True(cache.TryGet("a", read));
        Assert.True(await cache.TryGetAsync("b", read));
        Assert.False(cache.TryGet("c", read));
        Assert.False(await cache.TryGetAsync("c", read));

        Assert.Equal([1, 2, 3, 4, 5, 2, 3, 4], read.WrittenMemory.ToArray());
    }

    [Fact]
    public void A_hit_by_buffers_allocates_nothing()
    {
        var cache = Ours();
        cache.Set("a", new byte[1000], Forever);
        var read = new ArrayBufferWriter<byte>(2000);

        AllocationTests.AssertNoAllocation(() =>
        {
            read.ResetWrittenCount();
            cache.TryGet("a", read);
        });

        Assert.Equal(1000, read.WrittenCount);
    }

    [Fact]
    public async Task A_cancelled_call_does_nothing()
    {
        var cache = Ours();
        var cancelled = new CancellationToken(canceled: true);

        await Assert.ThrowsAsync<OperationCanceledException>(() => cache.SetAsync("a", [1], Forever, cancelled));
        Assert.Null(cache.Get("a"));
        await Assert.ThrowsAsync<OperationCanceledException>(() => cache.GetAsync("a", cancelled));
        await Assert.ThrowsAsync<OperationCanceledException>(() => cache.RemoveAsync("a", cancelled));
        await Assert.ThrowsAsync<OperationCanceledException>(() => cache.RefreshAsync("a", cancelled));
    }

    [Fact]
    public void An_expiry_beyond_the_calendar_is_never()
    {
        var cache = Ours();
        cache.Set("a", [1], new() { AbsoluteExpirationRelativeToNow = TimeSpan.MaxValue, SlidingExpiration = TimeSpan.MaxValue });
        cache.Set("b", [1], new() { AbsoluteExpiration = DateTimeOffset.MaxValue });

        Pass(TimeSpan.FromDays(365_000));

        Assert.NotNull(cache.Get("a"));
        Assert.NotNull(cache.Get("b"));
    }

    [Fact]
    public void A_value_that_is_too_large_is_said_to_be_and_nothing_is_changed()
    {
        var cache = Ours();
        cache.Set("a", [1], Forever);

        var first = new Piece(new byte[50_000]);
        Assert.Throws<CacheEntryTooLargeException>(() => cache.Set("a", new byte[100_000], Forever));
        Assert.Throws<CacheEntryTooLargeException>(() => cache.Set("a", new ReadOnlySequence<byte>(first, 0, first.Append(new byte[50_000]), 50_000), Forever));

        Assert.Equal([1], cache.Get("a"));
    }

    [Fact]
    public void Entries_are_those_of_the_cache_beneath()
    {
        Ours().Set("a", Encoding.UTF8.GetBytes("value"), Forever);

        Assert.Equal("value"u8, _store.Read("a")!);
    }

    private static DistributedCacheEntryOptions RandomOptions(Random random)
    {
        var options = new DistributedCacheEntryOptions();
        if (random.Next(2) == 0)
        {
            options.SlidingExpiration = TimeSpan.FromSeconds(1 + random.Next(60));
        }

        if (random.Next(2) == 0)
        {
            options.AbsoluteExpirationRelativeToNow = TimeSpan.FromSeconds(1 + random.Next(100));
        }

        return options;
    }

    private MessageDistributedCache Ours() => new(_store);

    private IDistributedCache Create(string which) => which == "ours"
        ? Ours()
        : new MemoryDistributedCache(Options.Create(new MemoryDistributedCacheOptions { Clock = new FrameworkClock(_clock), ExpirationScanFrequency = Never }));

    private void Pass(TimeSpan time) => _clock.Now += time;

    private sealed class FrameworkClock(ManualClock clock) : Microsoft.Extensions.Internal.ISystemClock
    {
        public DateTimeOffset UtcNow => clock.Now;
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(byte[] bytes) => Memory = bytes;

        public Piece Append(byte[] bytes)
        {
            var next = new Piece(bytes) { RunningIndex = RunningIndex + Memory.Length };
            Next = next;
            return next;
        }
    }
}
