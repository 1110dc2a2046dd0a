using System.Buffers;
using System.Text;

namespace BufferedMessages.Caching.Tests;

public sealed class BytesTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_value_that_is_set_is_read()
    {
        using var cache = _directory.Open<string>();

        cache.Set("one", "first"u8);
        cache.Set("two", "second"u8);

        Assert.Equal("first"u8, cache.Read("one")!);
        Assert.Equal("second"u8, cache.Read("two")!);
        Assert.Null(cache.Read("three"));
        Assert.Equal(2, cache.Count);
    }

    [Fact]
    public void A_second_set_replaces_the_first()
    {
        using var cache = _directory.Open<string>();

        cache.Set("key", "first"u8);
        cache.Set("key", "second and longer"u8);

        Assert.Equal("second and longer"u8, cache.Read("key")!);
        Assert.Equal(1, cache.Count);
    }

    [Fact]
    public void A_key_that_is_removed_is_gone()
    {
        using var cache = _directory.Open<string>();
        cache.Set("key", "value"u8);

        Assert.True(cache.Remove("key"));

        Assert.Null(cache.Read("key"));
        Assert.False(cache.Remove("key"));
        Assert.Equal(0, cache.Count);
        cache.Set("key", "again"u8);
        Assert.Equal("again"u8, cache.Read("key")!);
    }

    [Fact]
    public void Empty_values_and_empty_keys_are_values_and_keys()
    {
        using var cache = _directory.Open<string>();

        cache.Set("empty", []);
        cache.Set("", "value"u8);

        Assert.Equal([], cache.Read("empty")!);
        Assert.Equal("value"u8, cache.Read("")!);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(300)]
    [InlineData(5_000)]
    public void Keys_and_values_of_any_length_are_read(int length)
    {
        using var cache = _directory.Open<ReadOnlyMemory<byte>>();
        var key = Values.Of(1, length);
        for (var valueLength = 0; valueLength < 40; valueLength++)
        {
            cache.Set(key, Values.Of(valueLength, valueLength));
            Assert.Equal(Values.Of(valueLength, valueLength), cache.Read<ReadOnlyMemory<byte>>(key)!);
        }
    }

    [Fact]
    public void Clear_removes_everything_and_what_is_set_afterwards_stays()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 1_000; i++)
        {
            cache.Set(i, Values.Of(i, 50));
        }

        cache.Clear();

        Assert.Equal(0, cache.Count);
        Assert.All(Enumerable.Range(0, 1_000), i => Assert.Null(cache.Read(i)));
        cache.Set(5, "new"u8);
        Assert.Equal("new"u8, cache.Read(5)!);
    }

    [Fact]
    public void The_index_grows_and_no_key_is_lost()
    {
        const int Keys = 60_000;
        using var cache = _directory.Open<long>(CacheDirectory.SmallWith(options => { options.DiskBytes = 128 * CacheDirectory.SegmentBytes; options.ExpectedEntries = 1; }));

        for (var i = 0L; i < Keys; i++)
        {
            cache.Set(i, BitConverter.GetBytes(i));
        }

        Assert.Equal(0, cache.GetStatistics().Evicted);
        Assert.Equal(Keys, cache.Count);
        for (var i = 0L; i < Keys; i++)
        {
            Assert.Equal(BitConverter.GetBytes(i), cache.Read(i)!);
        }

        Assert.Single(Directory.GetFiles(_directory, "index.*"));
    }

    [Fact]
    public void A_value_that_is_too_large_is_one_clear_exception()
    {
        using var cache = _directory.Open<string>(CacheDirectory.SmallWith(options => options.MaxEntryBytes = 1_000));

        var exception = Assert.Throws<CacheEntryTooLargeException>(() => cache.Set("key", new byte[998]));

        Assert.Equal(1_001, exception.Bytes);
        Assert.Equal(1_000, exception.MaxBytes);
        cache.Set("key", new byte[997]);
    }

    [Fact]
    public void The_largest_value_fills_a_segment()
    {
        using var cache = _directory.Open<string>();
        var largest = Assert.Throws<CacheEntryTooLargeException>(() => cache.Set("", new byte[100_000])).MaxBytes;

        cache.Set("", Values.Of(3, (int)largest));

        Assert.True(largest > CacheDirectory.SegmentBytes - (CacheDirectory.SegmentBytes / 256) - 200);
        Assert.Equal(Values.Of(3, (int)largest), cache.Read("")!);
    }

    // Key and value are padded, and the head of the record has all its parts.
    [Fact]
    public void The_largest_value_with_a_format_tags_and_times_fits_into_a_segment_however_it_is_padded()
    {
        const int TagBytes = 12;
        const int Paddings = 16;
        var raw = new RawSerializer();
        var expiry = CacheExpiry.Sliding(TimeSpan.FromHours(1)) with { Tags = ["a", "b"] };
        using var cache = _directory.Open<string>();
        var tooLarge = Assert.Throws<CacheEntryTooLargeException>(() => cache.Set("k", new byte[100_000], raw, expiry));
        var largest = (int)tooLarge.MaxBytes - 1 - TagBytes;

        Assert.Equal(1 + 100_000 + TagBytes, tooLarge.Bytes);
        Assert.Throws<CacheEntryTooLargeException>(() => cache.Set("k", new byte[largest + 1], raw, expiry));
        for (var bytes = largest; bytes > largest - Paddings; bytes--)
        {
            cache.Set("k", Values.Of(bytes, bytes), raw, expiry);
            Assert.True(cache.TryGet("k", raw, out var value));
            Assert.Equal(Values.Of(bytes, bytes), value);
        }
    }

    [Fact]
    public void Only_reads_count_as_hits_and_misses()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, "value"u8);
        Assert.Equal((true, false), (cache.Contains(1), cache.Contains(2)));
        Assert.Equal((true, false), (cache.Touch(1), cache.Touch(2)));
        Assert.True(cache.IsInMemory(1));
        cache.Prefetch([1, 2]);
        Assert.Equal([1], cache.Keys);
        foreach (var entry in cache)
        {
            Assert.Equal("value"u8, entry.Value);
        }

        Assert.Equal((true, false), (cache.Remove(1), cache.Remove(2)));
        cache.Set(1, "value"u8);
        Assert.Equal((0, 0), (cache.GetStatistics().Hits, cache.GetStatistics().Misses));

        cache.Read(1);
        cache.Read(2);
        cache.GetMany([1, 2, 3], 0, static (_, _, _) => { });
        Assert.Equal((2, 3), (cache.GetStatistics().Hits, cache.GetStatistics().Misses));
    }

    [Fact]
    public void Keys_that_differ_in_one_bit_are_different_keys()
    {
        using var cache = _directory.Open<ulong>();
        for (var bit = 0; bit < 64; bit++)
        {
            cache.Set(1UL << bit, [(byte)bit]);
        }

        for (var bit = 0; bit < 64; bit++)
        {
            Assert.Equal([(byte)bit], cache.Read(1UL << bit)!);
        }
    }

    [Fact]
    public async Task Asynchronous_sets_and_reads_do_the_same()
    {
        using var cache = _directory.Open<string>();

        await cache.SetAsync("key", Encoding.UTF8.GetBytes("value"));

        Assert.Equal("value"u8, cache.Read("key")!);
        Assert.True(cache.IsInMemory("key"));
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await cache.SetAsync("key", default, default, new CancellationToken(canceled: true)));
    }

    // In memory too, where the call does its work before it returns.
    [Fact]
    public async Task An_asynchronous_call_fails_in_its_task()
    {
        using var cache = _directory.Open<int>();
        Assert.True(cache.IsInMemory(1));

        var tooLarge = cache.SetAsync(1, new byte[CacheDirectory.SegmentBytes]).AsTask();
        var tooLargeSequence = cache.SetAsync(1, new ReadOnlySequence<byte>(new byte[CacheDirectory.SegmentBytes])).AsTask();
        var cancelled = cache.SetAsync(1, default, default, new CancellationToken(canceled: true)).AsTask();
        cache.Dispose();
        var get = cache.GetAsync(1, new NumberSerializer()).AsTask();

        await Assert.ThrowsAsync<CacheEntryTooLargeException>(() => tooLarge);
        await Assert.ThrowsAsync<CacheEntryTooLargeException>(() => tooLargeSequence);
        await Assert.ThrowsAsync<OperationCanceledException>(() => cancelled);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => get);
        Assert.True(cancelled.IsCanceled);
    }

    [Fact]
    public void Several_entries_are_read_at_once()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 100; i += 2)
        {
            cache.Set(i, [(byte)i]);
        }

        var found = new List<int>();
        var hits = cache.GetMany([.. Enumerable.Range(0, 100)], found, (key, value, list) =>
        {
            Assert.Equal((byte)key, value[0]);
            list.Add(key);
        });

        Assert.Equal(50, hits);
        Assert.Equal(Enumerable.Range(0, 50).Select(i => i * 2), found);
    }

    [Fact]
    public void A_disposed_cache_says_so()
    {
        var cache = _directory.Open<string>();
        cache.Set("key", "value"u8);
        cache.Dispose();
        cache.Dispose();

        Assert.Throws<ObjectDisposedException>(() => cache.Set("key", "value"u8));
        Assert.Throws<ObjectDisposedException>(() => cache.Read("key"));
        Assert.Throws<ObjectDisposedException>(() => cache.Remove("key"));
        Assert.Throws<ObjectDisposedException>(cache.Clear);
    }

    private sealed class RawSerializer : ICacheSerializer<byte[]>
    {
        public string Name => "raw";

        public void Serialize(byte[] value, IBufferWriter<byte> destination) => destination.Write(value);

        public byte[] Deserialize(ReadOnlySpan<byte> bytes) => bytes.ToArray();
    }
}
