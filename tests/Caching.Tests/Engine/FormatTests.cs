using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

/// <summary>Reads the files of a cache by the numbers of docs/format/caches.md alone, as a program in another language does.</summary>
public sealed class FormatTests : IDisposable
{
    private const int Entries = 2_000;
    private const long Latest = 4_000_000_000_000;

    private readonly CacheDirectory _directory = new();

    // Of a cache that is closed.
    private readonly Dictionary<string, byte[]> _files = new(StringComparer.Ordinal);
    private byte[] _control = [];
    private long _segmentBytes;

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void The_files_are_as_the_page_says()
    {
        var order = new Order { Id = 7, Note = "a note" };
        using (var cache = _directory.Open<string>())
        {
            for (var i = 0; i < Entries; i++)
            {
                cache.Set(KeyOf(i), Values.Of(i, 100));
            }

            cache.Set("message", order);
            cache.Set("sliding", [1, 2, 3], CacheExpiry.Sliding(TimeSpan.FromHours(1), DateTimeOffset.FromUnixTimeMilliseconds(Latest)));
            cache.Set("stale", [4, 5], CacheExpiry.At(DateTimeOffset.FromUnixTimeMilliseconds(Latest)) with { StaleIfError = TimeSpan.FromMinutes(1) });
            cache.Set("tagged", [6, 7, 8], CacheExpiry.Never with { Tags = ["a", "b"] });
            cache.Remove(KeyOf(0));
        }

        ReadControl();

        Assert.Null(Find(KeyOf(0)));
        Assert.Null(Find("no such key"));
        for (var i = 1; i < Entries; i++)
        {
            var (record, value) = Find(KeyOf(i))!.Value;
            Assert.Equal(Values.Of(i, 100), value);
            Assert.Equal(0, Milliseconds(record));
            Assert.Equal(0UL, U64(record, 0) >> 16 & 0xFFFF);
        }

        var sliding = Find("sliding")!.Value.Record;
        Assert.Equal([1, 2, 3], Find("sliding")!.Value.Value);
        Assert.Equal((Latest, 3_600_000), (I64(sliding, 32), I64(sliding, 40)));
        Assert.InRange(Milliseconds(sliding), 1, Latest);

        var stale = Find("stale")!.Value.Record;
        Assert.Equal([4, 5], Find("stale")!.Value.Value);
        Assert.Equal((Latest, Latest + 60_000, 0), (Milliseconds(stale), I64(stale, 32), I64(stale, 40)));

        var tagged = Find("tagged")!.Value.Record;
        var tags = File.ReadAllBytes(Path.Combine(_directory, "tags"));
        var end = tagged.Length - (I32(tagged, 8) & 15);
        Assert.Equal([6, 7, 8], Find("tagged")!.Value.Value);
        Assert.Equal((1UL, "BMSCTAG1"), ((U64(tagged, 0) >> 17) & 1, Encoding.ASCII.GetString(tags, 0, 8)));
        Assert.Equal((56, 128 + (65_536 * 8)), (end - 12, tags.Length));
        Assert.Equal((U64(tags, 8), U64(tags, 64)), (U64(tagged, end - 12), U64(tags, 8)));
        Assert.Equal(
            (XxHash64.Hash("a"u8) >> 48, XxHash64.Hash("b"u8) >> 48),
            ((ulong)BitConverter.ToUInt16(tagged, end - 4), (ulong)BitConverter.ToUInt16(tagged, end - 2)));
        Assert.Contains(Directory.GetFiles(_directory, "*.segment"), static file => U32(File.ReadAllBytes(file), 24) == 1);

        var message = Find("message")!.Value;
        var fingerprint = U64(message.Record, 32);
        Assert.Equal(Order.BufferedBlock.Schema.Fingerprint, fingerprint);
        Assert.Equal(Order.BufferedBlock.Schema.Text, File.ReadAllText(Path.Combine(_directory, fingerprint.ToString("X16", CultureInfo.InvariantCulture) + ".schema")));
        Assert.Equal(order.ToMessageArray(), message.Value);
        var units = Enumerable.Range(1, Entries - 1).Select(KeyOf).Concat(["message", "sliding", "stale", "tagged"]).Sum(key => Find(key)!.Value.Record.Length / 16L);
        Assert.Equal((Entries + 3, units), ((int)Counts(), Counts() >> 32));
        var dead = Assert.Single(Directory.GetFiles(_directory, "*.segment").SelectMany(static file => DeadRecords(File.ReadAllBytes(file))));
        Assert.Equal(KeyOf(0), Encoding.UTF8.GetString(dead, 32, I32(dead, 8) >> 4));
    }

    [Fact]
    public void The_leases_of_a_reader_are_as_the_page_says()
    {
        using var cache = _directory.Open<string>();
        cache.Set("key", [1]);
        using var reader = MessageCache.OpenReadOnly<string>(_directory);
        using (reader.TryGet("key", out var lease) ? lease : throw new InvalidOperationException())
        {
            ReadControl();
            Assert.Equal([(ulong)I32(_control, 144) + 1], Pins().Select(static word => word & 0xFFFF).Where(static slot => slot != 0));
        }

        Assert.DoesNotContain(Pins(), static word => (word & 0xFFFF) != 0);
        Assert.Equal(1UL, Pins().Aggregate(0UL, static (sum, word) => sum + (word >> 16)));
    }

    private static string KeyOf(int i) => string.Create(CultureInfo.InvariantCulture, $"key {i}");

    private static byte[] ReadShared(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return bytes;
    }

    private static int I32(byte[] bytes, long offset) => BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan((int)offset));

    private static uint U32(byte[] bytes, long offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan((int)offset));

    private static long I64(byte[] bytes, long offset) => BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan((int)offset));

    private static ulong U64(byte[] bytes, long offset) => BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan((int)offset));

    private static uint Crc(uint initial, params ReadOnlySpan<byte> bytes)
    {
        foreach (var value in bytes)
        {
            initial = BitOperations.Crc32C(initial, value);
        }

        return initial;
    }

    private static long Milliseconds(byte[] record)
    {
        var word = U64(record, 24);
        var milliseconds = word & ((1UL << 48) - 1);
        Assert.Equal(~(milliseconds * 0x9E3779B97F4A7C15) >> 48, word >> 48);
        return (long)milliseconds;
    }

    private static IEnumerable<byte[]> DeadRecords(byte[] segment)
    {
        if (Encoding.ASCII.GetString(segment, 0, 8) != "BMSCSEG1")
        {
            yield break;
        }

        var marks = segment.Length - (segment.Length / 256);
        for (var offset = 64L; offset < marks && U64(segment, offset) != 0; offset += U32(segment, offset + 4))
        {
            if ((U64(segment, marks + (offset / 32 / 64 * 8)) >> (int)(offset / 32 % 64) & 1) != 0)
            {
                yield return segment[(int)offset..(int)(offset + U32(segment, offset + 4))];
            }
        }
    }

    private ulong[] Pins()
    {
        var bytes = ReadShared(_directory.FileOf("reader-00.pins"));
        Assert.Equal(49_152, bytes.Length);
        return [.. Enumerable.Range(0, bytes.Length / 8).Select(i => U64(bytes, i * 8))];
    }

    private void ReadControl()
    {
        _control = ReadShared(_directory.FileOf("cache"));
        _segmentBytes = I64(_control, 16);
        Assert.Equal("BMSCACH1", Encoding.ASCII.GetString(_control, 0, 8));
        Assert.Equal((1, 1, CacheDirectory.SegmentBytes, 8_192), (I32(_control, 8), I32(_control, 12), _segmentBytes, I32(_control, 24)));
        Assert.Equal(4_096 + ((32 + (9 * 8)) * 8_192), _control.Length);
        Assert.Equal((0u, 0u), (U32(_control, 32), U32(_control, 36)));
        var crc = Crc(~0u, [.. _control.AsSpan(0, 8), .. _control.AsSpan(12, 4), .. _control.AsSpan(8, 4), .. BitConverter.GetBytes((ulong)_segmentBytes ^ (8_192UL << 40))]);
        Assert.Equal(crc, U32(_control, 28));
    }

    private byte[] FileOf(string name)
    {
        if (!_files.TryGetValue(name, out var bytes))
        {
            bytes = File.ReadAllBytes(Path.Combine(_directory, name));
            _files.Add(name, bytes);
        }

        return bytes;
    }

    // Of all segments.
    private long Counts()
    {
        var sum = 0L;
        for (var slot = 0; slot < 8_192; slot++)
        {
            sum += I64(_control, 4_096 + (32 * slot) + 16);
            for (var lane = 0; lane < 9; lane++)
            {
                sum += I64(_control, 266_240 + (576 * (slot / 8)) + (64 * lane) + (8 * (slot % 8)));
            }
        }

        return sum;
    }

    private (byte[] Record, byte[] Value)? Find(string key)
    {
        var bytes = Encoding.UTF8.GetBytes(key);
        var hash = XxHash64.Hash(bytes);
        var index = FileOf("index." + I64(_control, 128).ToString(CultureInfo.InvariantCulture));
        Assert.Equal("BMSCIDX1", Encoding.ASCII.GetString(index, 0, 8));
        var (buckets, overflow) = (U64(index, 8), U64(index, 16));
        Assert.Equal((ulong)index.Length, 64 * (1 + buckets + overflow));
        for (var bucket = hash & (buckets - 1); ;)
        {
            var start = 64 * (1 + (long)bucket);
            for (var i = 0; i < 7; i++)
            {
                var word = U64(index, start + (8 * i));
                if (word != 0 && word >> 38 == ((hash >> 10) & ((1 << 26) - 1)) && Read((long)(word & ((1UL << 36) - 1)), bytes) is { } found)
                {
                    return found;
                }
            }

            var link = (ulong)U32(index, start + 56);
            if (link == 0)
            {
                return null;
            }

            bucket = buckets + link - 1;
        }
    }

    private (byte[] Record, byte[] Value)? Read(long location, byte[] key)
    {
        var (slot, offset) = (location * 16 / _segmentBytes, location * 16 % _segmentBytes);
        var segment = FileOf(slot.ToString("D4", CultureInfo.InvariantCulture) + ".segment");
        Assert.Equal((_segmentBytes, 2), (segment.Length, I32(_control, 4_096 + (32 * slot))));
        Assert.Equal((slot, U64(_control, 4_096 + (32 * slot) + 8)), (I32(segment, 8), U64(segment, 16)));
        Assert.Equal(Crc(~0u, [.. segment.AsSpan(16, 8), .. segment.AsSpan(8, 4)]), U32(segment, 12));

        var record = segment[(int)offset..(int)(offset + U32(segment, offset + 4))];
        var word = U64(record, 0);
        Assert.Equal(2UL, word & 0xFFFF);
        var (hasLatest, hasTags, hasSchema) = ((word & (1 << 16)) != 0, (word & (1 << 17)) != 0, (word & (1 << 18)) != 0);
        var head = 32 + (hasSchema ? 8 : 0) + (hasLatest ? 16 : 0) + (hasTags ? 8 : 0);
        var keyBytes = (int)(U32(record, 8) >> 4);
        var valueOffset = head + ((keyBytes + 7) & ~7);
        var end = record.Length - (int)(U32(record, 8) & 15);
        var valueBytes = hasTags ? (int)U64(record, head - 8) : end - valueOffset;
        Assert.True(!hasTags || end > valueOffset + valueBytes + 8);
        var ofContent = ~Crc(~0u, [.. record.AsSpan(0, 8), .. record.AsSpan(8, 4), .. record.AsSpan(32, end - 32)]);
        var ofPlace = Crc(~0u, [.. BitConverter.GetBytes(location), .. record.AsSpan(16, 8)]);
        Assert.Equal(ofContent ^ ofPlace, U32(record, 12));
        Assert.InRange(U64(record, 16), U64(segment, 16) + 1, U64(_control, 192));
        return record.AsSpan(head, keyBytes).SequenceEqual(key) ? (record, record[valueOffset..(valueOffset + valueBytes)]) : null;
    }
}
