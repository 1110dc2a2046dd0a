using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace BufferedMessages.Caching.Tests;

/// <summary>Values by serializers, and what a serializer reads that has not set them.</summary>
public sealed partial class SerializerTests : IDisposable
{
    private static readonly JsonCacheSerializer<Visit> Json = new(VisitContext.Default.Visit);

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_value_goes_as_json_by_generated_code_and_by_reflection()
    {
        using var cache = _directory.Open<string>();

        cache.Set("a", new Visit(7, "home"), Json);

        Assert.True(cache.TryGet("a", new JsonCacheSerializer<Visit>(JsonSerializerOptions.Web), out var visit));
        Assert.Equal(new Visit(7, "home"), visit);
        Assert.True(cache.TryGet("a", out var lease));
        using (lease)
        {
            Assert.Equal("""{"id":7,"page":"home"}"""u8, lease.Value);
        }
    }

    [Fact]
    public void Options_of_reflection_count()
    {
        using var cache = _directory.Open<string>();

        cache.Set("a", new { PageId = 7 }, Anonymous(new { PageId = 0 }, JsonSerializerOptions.Web));

        Assert.True(cache.TryGet("a", out var lease));
        using (lease)
        {
            Assert.Equal("""{"pageId":7}"""u8, lease.Value);
        }
    }

    [Fact]
    public void Options_of_reflection_count_also_when_they_were_not_used_before()
    {
        using var cache = _directory.Open<string>();
        var options = new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

        cache.Set("a", new { PageId = 7 }, Anonymous(new { PageId = 0 }, options));

        Assert.True(cache.TryGet("a", out var lease));
        using (lease)
        {
            Assert.Equal("""{"page_id":7}"""u8, lease.Value);
        }
    }

    [Fact]
    public void The_encoder_of_the_options_counts()
    {
        using var cache = _directory.Open<string>();
        var options = new JsonSerializerOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

        cache.Set("a", "gr\u00FCn", new JsonCacheSerializer<string>(options));

        Assert.True(cache.TryGet("a", out var lease));
        using (lease)
        {
            Assert.Equal("\"gr\u00FCn\""u8, lease.Value);
        }
    }

    [Fact]
    public void A_value_of_another_serializer_is_a_miss_also_after_a_restart()
    {
        using (var cache = _directory.Open<string>())
        {
            cache.Set("number", 7, new NumberSerializer());
            cache.Set("json", 8, new JsonCacheSerializer<int>());
        }

        using (var cache = _directory.Open<string>())
        {
            Assert.False(cache.TryGet("number", new JsonCacheSerializer<int>(), out _));
            Assert.False(cache.TryGet("json", new NumberSerializer(), out _));
            Assert.True(cache.TryGet("number", new NumberSerializer(), out var number));
            Assert.True(cache.TryGet("json", new JsonCacheSerializer<int>(), out var json));

            Assert.Equal((7, 8), (number, json));
            var statistics = cache.GetStatistics();
            Assert.Equal((2, 2, 2), (statistics.Mismatched, statistics.Misses, statistics.Hits));
        }
    }

    [Fact]
    public async Task A_value_of_another_serializer_is_created_anew()
    {
        using var cache = _directory.Open<string>();
        cache.Set("a", 7, new NumberSerializer());

        Assert.Equal(8, cache.GetOrCreate("a", static _ => 8, new JsonCacheSerializer<int>()));

        var statistics = cache.GetStatistics();
        Assert.Equal((1, 1, 0), (statistics.Mismatched, statistics.Misses, statistics.Hits));
        Assert.False((await cache.GetAsync("a", new NumberSerializer())).IsHit);
        Assert.Equal(new CacheResult<int>(true, 8), await cache.GetAsync("a", new JsonCacheSerializer<int>()));
    }

    [Fact]
    public async Task An_exception_of_a_serializer_is_not_taken_for_a_time_that_has_passed()
    {
        using var cache = _directory.Open<string>();
        var expiry = CacheExpiry.At(DateTimeOffset.UtcNow.AddHours(1));

        Assert.Throws<ArgumentOutOfRangeException>(() => cache.GetOrCreate("a", static _ => 8, new RefusingSerializer(), expiry));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => cache.GetOrCreateAsync("a", static (_, _) => ValueTask.FromResult(8), new RefusingSerializer(), expiry).AsTask());
        Assert.Equal((0, 0), (cache.Count, cache.GetStatistics().NotKept));
    }

    [Fact]
    public void Bytes_and_messages_are_a_miss_for_a_serializer()
    {
        using var cache = _directory.Open<string>();
        cache.Set("bytes", "8"u8);
        cache.Set("message", new Order { Id = 8 });

        Assert.False(cache.TryGet("bytes", new JsonCacheSerializer<int>(), out _));
        Assert.False(cache.TryGet("message", new JsonCacheSerializer<Order>(), out _));
    }

    [Fact]
    public void A_value_of_a_serializer_is_a_miss_for_a_view()
    {
        using var cache = _directory.Open<string>();
        cache.Set("a", new Order { Id = 8 }, new JsonCacheSerializer<Order>());

        Assert.False(cache.TryGet<OrderBufferedMessage>("a", out _));
        foreach (var entry in cache)
        {
            Assert.False(entry.IsMessage<OrderBufferedMessage>());
        }
    }

    [Fact]
    public void A_format_with_a_long_name_is_told_from_another_by_its_end()
    {
        using var cache = _directory.Open<string>();
        var name = new string('\u00E9', 400);

        cache.Set("a", 7, new NamedSerializer(name + "1"));

        Assert.True(cache.TryGet("a", new NamedSerializer(name + "1"), out var found));
        Assert.Equal(7, found);
        Assert.False(cache.TryGet("a", new NamedSerializer(name + "2"), out _));
    }

    [Fact]
    public void A_format_without_a_name_is_refused()
    {
        using var cache = _directory.Open<string>();

        Assert.Throws<ArgumentException>(() => cache.Set("a", 7, new NamedSerializer("")));
        Assert.Throws<ArgumentException>(() => cache.TryGet("a", new NamedSerializer(""), out _));
        Assert.Equal(0, cache.Count);
    }

    // Both threads have taken their own cells, and look for a shared one from the same on: the reader has the cell of a refused lease at once.
    [Fact]
    public void A_value_of_another_serializer_gives_back_no_lease_of_another_thread()
    {
        const int Calls = 200_000;
        using var cache = _directory.Open<int>();
        cache.Set(1, "bytes"u8);
        var isOver = false;
        var lost = 0;
        var (refuser, reader) = ThreadsOfOneShard(() => WithoutOwnCells(cache, Refuse), () => WithoutOwnCells(cache, Read));

        refuser.Start();
        reader.Start();
        refuser.Join();
        reader.Join();

        Assert.Equal(0, lost);
        Assert.Equal(Calls, cache.GetStatistics().Mismatched);

        void Refuse()
        {
            for (var i = 0; i < Calls; i++)
            {
                cache.GetOrCreate<string?>(1, static _ => null, new JsonCacheSerializer<string?>());
            }

            Volatile.Write(ref isOver, true);
        }

        void Read()
        {
            while (!Volatile.Read(ref isOver) && cache.TryGet(1, out var lease))
            {
                using (lease)
                {
                    lost += lease.Entry.Ticket.IsHeld ? 0 : 1;
                }
            }
        }
    }

    private static void WithoutOwnCells(MessageCache<int> cache, Action then, int cells = 8)
    {
        if (cells == 0)
        {
            then();
            return;
        }

        Assert.True(cache.TryGet(1, out var lease));
        using (lease)
        {
            WithoutOwnCells(cache, then, cells - 1);
        }
    }

    private static (Thread One, Thread Other) ThreadsOfOneShard(ThreadStart one, ThreadStart other)
    {
        var first = new Thread(one);
        while (true)
        {
            var second = new Thread(other);
            if ((second.ManagedThreadId - first.ManagedThreadId) % 16 == 0)
            {
                return (first, second);
            }
        }
    }

    private static JsonCacheSerializer<T> Anonymous<T>(T example, JsonSerializerOptions options)
    {
        Assert.NotNull(example);
        return new JsonCacheSerializer<T>(options);
    }

    private sealed record Visit(int Id, string Page);

    [JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
    [JsonSerializable(typeof(Visit))]
    private sealed partial class VisitContext : JsonSerializerContext;

    private sealed class NamedSerializer(string name) : ICacheSerializer<int>
    {
        public string Name => name;

        public void Serialize(int value, IBufferWriter<byte> destination) => destination.Write(BitConverter.GetBytes(value));

        public int Deserialize(ReadOnlySpan<byte> bytes) => BitConverter.ToInt32(bytes);
    }

    private sealed class RefusingSerializer : ICacheSerializer<int>
    {
        public string Name => "refusing";

        public void Serialize(int value, IBufferWriter<byte> destination) => throw new ArgumentOutOfRangeException(nameof(value), value, "It is too large.");

        public int Deserialize(ReadOnlySpan<byte> bytes) => 0;
    }
}
