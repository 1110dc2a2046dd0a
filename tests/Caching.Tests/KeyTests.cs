using System.Buffers;
using System.Text;
using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching.Tests;

public sealed class KeyTests : IDisposable
{
    private static readonly NumberSerializer Numbers = new();

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Texts_are_keys() => AssertKeys("a", "b", "ä", "日本", new string('x', 1_000), "");

    [Fact]
    public void Ints_are_keys() => AssertKeys(0, 1, -1, int.MinValue, int.MaxValue);

    [Fact]
    public void Uints_are_keys() => AssertKeys(0u, 1u, uint.MaxValue);

    [Fact]
    public void Longs_are_keys() => AssertKeys(0L, 1L, -1L, long.MinValue, long.MaxValue);

    [Fact]
    public void Ulongs_are_keys() => AssertKeys(0UL, 1UL, ulong.MaxValue);

    [Fact]
    public void Guids_are_keys() => AssertKeys(Guid.Empty, new Guid("6F9619FF-8B86-D011-B42D-00CF4FC964FF"));

    [Fact]
    public void Bytes_are_keys_by_their_content()
    {
        using var cache = _directory.Open<ReadOnlyMemory<byte>>();

        cache.Set(new byte[] { 1, 2, 0xFF }, "value"u8);

        Assert.Equal("value"u8, cache.Read<ReadOnlyMemory<byte>>(new byte[] { 1, 2, 0xFF })!);
        Assert.Equal([1, 2, 0xFF], Assert.Single(cache.Keys).ToArray());
    }

    [Fact]
    public void A_text_and_its_utf8_are_the_same_key()
    {
        using (var texts = _directory.Open<string>())
        {
            texts.Set("größe", "1"u8);

            Assert.True(texts.TryGet("größe"u8, out var lease));
            Assert.Equal("1"u8, lease.Value);
            lease.Dispose();
            texts.Set("größe"u8, "2"u8);
            Assert.Equal("2"u8, texts.Read("größe")!);
            Assert.Equal(1, texts.Count);
        }

        using var bytes = _directory.Open<ReadOnlyMemory<byte>>();
        Assert.Equal("2"u8, bytes.Read<ReadOnlyMemory<byte>>(Encoding.UTF8.GetBytes("größe"))!);
        Assert.True(bytes.Remove(Encoding.UTF8.GetBytes("größe")));
    }

    [Fact]
    public void Half_a_surrogate_pair_is_no_key()
    {
        using var cache = _directory.Open<string>();

        Assert.Throws<ArgumentException>(() => cache.Set("\uD800", "value"u8));
        Assert.Throws<ArgumentException>(() => cache.Read(new string('\uDC00', 1_000)));
        Assert.Throws<ArgumentNullException>(() => cache.Read(null!));
    }

    // Each way to read or change an entry, also in a process that asks the owner, and in one that only reads.
    [Fact]
    public async Task Half_a_surrogate_pair_is_a_key_nowhere()
    {
        const string Half = "a\uD800";
        var shared = CacheDirectory.SmallWith(static options => options.Shared = true);
        using var owner = _directory.Open<string>(shared);
        using var other = _directory.Open<string>(shared);
        using var reader = MessageCache.OpenReadOnly<string>(_directory);
        owner.Set("a\uFFFD", 1, Numbers);
        owner.Set("a\uFFFD"u8, "value"u8);
        foreach (var cache in new[] { owner, other, reader })
        {
            foreach (var read in Reads(cache, Half))
            {
                await Assert.ThrowsAnyAsync<ArgumentException>(read);
            }
        }

        foreach (var cache in new[] { owner, other })
        {
            foreach (var change in Changes(cache, Half))
            {
                await Assert.ThrowsAnyAsync<ArgumentException>(change);
            }
        }

        Assert.Equal("value"u8.ToArray(), owner.Read("a\uFFFD")!);
        Assert.Equal(1, owner.Count);
    }

    [Fact]
    public void Half_a_surrogate_pair_is_in_no_name_of_a_serializer()
    {
        using var cache = _directory.Open<int>();
        cache.Set(1, 5, new NamedSerializer("\uFFFD"));

        Assert.Throws<ArgumentException>(() => cache.TryGet(1, new NamedSerializer("\uD800"), out _));
        Assert.Throws<ArgumentException>(() => cache.Set(1, 6, new NamedSerializer("\uD800")));
        Assert.True(cache.TryGet(1, new NamedSerializer("\uFFFD"), out _));
    }

    [Fact]
    public void Other_types_are_refused_by_name()
    {
        var exception = Assert.Throws<ArgumentException>(() => _directory.Open<DateTime>());

        Assert.Contains("System.DateTime", exception.Message, StringComparison.Ordinal);
        Assert.Contains("Guid", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_cache_of_other_keys_is_refused()
    {
        _directory.Open<int>().Dispose();

        var exception = Assert.Throws<ArgumentException>(() => _directory.Open<string>());

        Assert.Contains("keys of int", exception.Message, StringComparison.Ordinal);
        _directory.Open<int>().Dispose();
    }

    // The control file alone says of which type the keys are, and the segments are found without it.
    [Fact]
    public void Entries_of_segments_with_other_keys_are_not_enumerated()
    {
        using (var texts = _directory.Open<string>())
        {
            texts.Set("a", "value"u8);
        }

        File.Delete(CacheFiles.Control(_directory));
        using var cache = _directory.Open<int>();
        Assert.Equal(1, cache.Count);
        var met = new List<int>();
        foreach (var entry in cache)
        {
            met.Add(entry.Key);
        }

        Assert.Empty(cache.Keys);
        Assert.Empty(met);
    }

    private static IEnumerable<Func<Task>> Reads(MessageCache<string> cache, string key)
    {
        var distributed = new MessageDistributedCache(cache);
        yield return Now(() => cache.TryGet(key, out _));
        yield return Now(() => cache.TryGet<OrderBufferedMessage>(key, out _));
        yield return Now(() => cache.TryGet(key, Numbers, out _));
        yield return Now(() => cache.TryGet<OrderBufferedMessage, int>(key, static view => (int)view.Id, out _));
        yield return async () => await cache.GetAsync(key, Numbers);
        yield return async () => await cache.GetAsync<OrderBufferedMessage, int>(key, static view => (int)view.Id);
        yield return Now(() => cache.GetMany([key], 0, static (_, _, _) => { }));
        yield return Now(() => cache.GetMany<OrderBufferedMessage, int>([key], 0, static (_, _, _) => { }));
        yield return Now(() => cache.Prefetch([key]));
        yield return Now(() => cache.Contains(key));
        yield return Now(() => cache.IsInMemory(key));
        yield return Now(() => distributed.Get(key));
        yield return async () => await distributed.GetAsync(key);
        yield return Now(() => distributed.TryGet(key, new ArrayBufferWriter<byte>()));
        yield return async () => await distributed.TryGetAsync(key, new ArrayBufferWriter<byte>());
    }

    private static IEnumerable<Func<Task>> Changes(MessageCache<string> cache, string key)
    {
        var distributed = new MessageDistributedCache(cache);
        yield return Now(() => cache.Set(key, "other"u8));
        yield return Now(() => cache.Set(key, new ReadOnlySequence<byte>([1])));
        yield return Now(() => cache.Set(key, new Order { Id = 1 }));
        yield return Now(() => cache.Set(key, 2, Numbers));
        yield return Now(() => cache.SetMany([new(key, new byte[] { 1 })]));
        yield return async () => await cache.SetAsync(key, new byte[] { 1 });
        yield return async () => await cache.SetAsync(key, new ReadOnlySequence<byte>([1]));
        yield return Now(() => cache.GetOrCreate(key, static _ => 3, Numbers));
        yield return async () => await cache.GetOrCreateAsync(key, static (_, _) => ValueTask.FromResult(3), Numbers);
        yield return Now(() => cache.GetOrCreate<OrderBufferedMessage, Order>(key, static _ => new Order { Id = 1 }, static view => view.ToOrder()));
        yield return Now(() => cache.Touch(key));
        yield return Now(() => cache.Touch(key, CacheExpiry.Never));
        yield return Now(() => cache.Remove(key));
        yield return Now(() => distributed.Set(key, [1], new DistributedCacheEntryOptions()));
        yield return async () => await distributed.SetAsync(key, [1], new DistributedCacheEntryOptions());
        yield return Now(() => distributed.Refresh(key));
        yield return async () => await distributed.RefreshAsync(key);
        yield return Now(() => distributed.Remove(key));
        yield return async () => await distributed.RemoveAsync(key);
    }

    private static Func<Task> Now(Action action) => () =>
    {
        action();
        return Task.CompletedTask;
    };

    private sealed class NamedSerializer(string name) : ICacheSerializer<int>
    {
        public string Name => name;

        public void Serialize(int value, IBufferWriter<byte> destination) => Numbers.Serialize(value, destination);

        public int Deserialize(ReadOnlySpan<byte> bytes) => Numbers.Deserialize(bytes);
    }

    private void AssertKeys<TKey>(params TKey[] keys)
        where TKey : notnull
    {
        using var cache = _directory.Open<TKey>();
        for (var i = 0; i < keys.Length; i++)
        {
            cache.Set(keys[i], [(byte)i]);
        }

        for (var i = 0; i < keys.Length; i++)
        {
            Assert.Equal([(byte)i], cache.Read(keys[i])!);
            Assert.True(cache.Contains(keys[i]));
        }

        Assert.Equal(keys.Order(), cache.Keys.Order());
    }
}
