using System.Text;

namespace BufferedMessages.Caching.Tests;

public sealed class KeyTests : IDisposable
{
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
