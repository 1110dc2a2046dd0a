using System.Buffers.Binary;
using System.Numerics;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

/// <summary>A set replaces an entry of this process by its note, and reads the record of another process.</summary>
public sealed class EntryNoteTests : IDisposable
{
    private const int Keys = 20_000;
    private const long SegmentBytes = 1024 * 1024;

    private readonly CacheDirectory _directory = new();

    // Memory for a tenth of the values.
    private static MessageCacheOptions Options => new() { SegmentBytes = SegmentBytes, DiskBytes = 64 * SegmentBytes, MemoryBytes = 4 * SegmentBytes };

    public void Dispose() => _directory.Dispose();

    [LinuxFact]
    public void A_set_does_not_read_the_record_that_it_replaces()
    {
        using var cache = _directory.Open<int>(Options);
        SetAll(cache, Keys, bytes: 2_000);
        var calls = ReadCalls();
        for (var key = 0; key < Keys / 2; key++)
        {
            cache.Set(key * 7919 % Keys, Values.Of(key, 100));
        }

        Assert.InRange(ReadCalls() - calls, 0, Keys / 100);
        Assert.Equal(Values.Of(1, 100), cache.Read(7919));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Live_bytes_are_exact_when_sizes_change_and_the_index_grows(bool isReopened)
    {
        var cache = _directory.Open<int>(Options);
        SetAll(cache, Keys, bytes: 200);
        if (isReopened)
        {
            cache.Dispose();
            cache = _directory.Open<int>(Options);
        }

        SetAll(cache, Keys / 2, bytes: 1_000);
        SetAll(cache, 2 * Keys, bytes: 400);
        Enumerable.Range(0, Keys / 4).ToList().ForEach(key => Assert.True(cache.Remove(key)));

        Assert.Equal(2 * Keys * 7 / 8, cache.Count);
        cache.AssertLiveBytes(cache.Count * CacheRecord.BytesOf(sizeof(int), 400));
        Assert.Equal(Values.Of(Keys - 1, 400), cache.Read(Keys - 1));
        cache.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Keys_with_the_same_tag_are_different_entries(bool isReopened)
    {
        var (first, second) = KeysWithTheSameTag();
        var cache = _directory.Open<long>();
        cache.Set(first, [1]);
        if (isReopened)
        {
            cache.Dispose();
            cache = _directory.Open<long>();
        }

        cache.Set(second, [2]);
        cache.Set(first, [3]);

        Assert.Equal([3], cache.Read(first));
        Assert.Equal([2], cache.Read(second));
        Assert.Equal(2, cache.Count);
        cache.Dispose();
    }

    [Fact]
    public void Keys_with_the_same_tag_are_both_met_when_the_index_grows_during_the_enumeration()
    {
        var (first, second) = KeysWithTheSameTag();
        using var cache = _directory.Open<long>(Options);
        cache.Set(first, [1]);
        cache.Set(second, [2]);
        using var keys = cache.Keys.GetEnumerator();
        Assert.True(keys.MoveNext());
        var met = new List<long> { keys.Current };
        var before = cache.GetStatistics().IndexBytes;
        for (var key = -1L; key > -Keys; key--)
        {
            cache.Set(key, [3]);
        }

        Assert.True(cache.GetStatistics().IndexBytes > before);
        while (keys.MoveNext())
        {
            met.Add(keys.Current);
        }

        Assert.Contains(first, met);
        Assert.Contains(second, met);
    }

    [Fact]
    public void Of_two_keys_with_the_same_hash_the_one_that_was_set_last_is_there()
    {
        var (first, second) = KeysWithTheSameHash();
        using var cache = _directory.Open<ReadOnlyMemory<byte>>();
        cache.Set(first, [1]);
        cache.Set(second, [2]);
        Assert.Null(cache.Read(first));
        Assert.Equal([2], cache.Read(second));

        cache.Set(first, [3]);
        Assert.Equal([3], cache.Read(first));
        Assert.Null(cache.Read(second));
        Assert.False(cache.Remove(second));
        Assert.Equal(1, cache.Count);
    }

    private static void SetAll(MessageCache<int> cache, int keys, int bytes)
    {
        for (var key = 0; key < keys; key++)
        {
            cache.Set(key, Values.Of(key, bytes));
        }
    }

    // Calls of this thread that read files, by the figures of the kernel.
    private static long ReadCalls() => long.Parse(File.ReadLines("/proc/thread-self/io").Single(line => line.StartsWith("syscr", StringComparison.Ordinal)).Split(' ')[1]);

    // The index has 36 bits of a hash.
    private static (long First, long Second) KeysWithTheSameTag()
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        var known = new Dictionary<ulong, long>();
        for (var key = 0L; ; key++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(bytes, key);
            if (!known.TryAdd(XxHash64.Hash(bytes) & ((1UL << 36) - 1), key))
            {
                return (known[XxHash64.Hash(bytes) & ((1UL << 36) - 1)], key);
            }
        }
    }

    // One of a word and one of two words, of which the second is calculated: the steps of XXH64 can be inverted.
    private static (byte[] First, byte[] Second) KeysWithTheSameHash()
    {
        const ulong Prime1 = 0x9E3779B185EBCA87;
        const ulong Prime2 = 0xC2B2AE3D27D4EB4F;
        const ulong Prime4 = 0x85EBCA77C2B2AE63;
        const ulong Prime5 = 0x27D4EB2F165667C5;
        const ulong Word = 42;
        var afterFirst = (BitOperations.RotateLeft((Prime5 + 16) ^ Mix(Word), 27) * Prime1) + Prime4;
        var wanted = afterFirst ^ (Prime5 + 8) ^ Mix(Word);
        var second = BitOperations.RotateRight(wanted * InverseOf(Prime1), 31) * InverseOf(Prime2);
        byte[] one = [.. BitConverter.GetBytes(Word)];
        byte[] two = [.. BitConverter.GetBytes(Word), .. BitConverter.GetBytes(second)];
        Assert.Equal(XxHash64.Hash(one), XxHash64.Hash(two));
        return (one, two);

        static ulong Mix(ulong word) => BitOperations.RotateLeft(word * Prime2, 31) * Prime1;
    }

    // Modulo 2^64, by Newton's method: each step doubles the bits that are right.
    private static ulong InverseOf(ulong odd)
    {
        var inverse = odd;
        for (var bits = 3; bits < 64; bits *= 2)
        {
            inverse *= 2 - (odd * inverse);
        }

        return inverse;
    }

    // An entry that was set before both keys leaves a free cell, so that the later key comes first in the bucket.
    [Fact]
    public void A_removed_entry_does_not_come_back_after_a_set_of_a_key_with_the_same_hash()
    {
        var (first, second) = KeysWithTheSameHash();
        var neighbor = Enumerable.Range(0, int.MaxValue).Select(BitConverter.GetBytes).First(key => (ushort)XxHash64.Hash(key) == (ushort)XxHash64.Hash(first));
        using (var earlier = _directory.Open<ReadOnlyMemory<byte>>())
        {
            earlier.Set(neighbor, [0]);
            earlier.Set(first, [1]);
        }

        using var cache = _directory.Open<ReadOnlyMemory<byte>>();
        Assert.True(cache.Remove(neighbor));
        cache.Set(second, [2]);
        Assert.Null(cache.Read(first));
        cache.Set(first, [3]);
        Assert.True(cache.Remove(first));

        Assert.Null(cache.Read(first));
        Assert.Equal(0, cache.Count);
    }
}
