using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>
/// The floor of a read: an array of places and the records one after the other, all of it in memory. Nothing protects a reader, nothing ends, nothing is given back. What a
/// read costs here, a processor needs to find a record by a hash and to compare its key: one load at random after the other.
/// </summary>
internal sealed unsafe class TableContender : ICacheContender
{
    private const int KeyBytes = sizeof(long);
    private const int Alignment = 64;

    private readonly int[] _places;
    private readonly int _shift;
    private readonly int _valueBytes;
    private readonly int _recordBytes;
    private readonly byte* _records;
    private int _count;

    public TableContender(CacheSetting setting)
    {
        _places = new int[BitOperations.RoundUpToPowerOf2((uint)setting.Keys) * 2];
        _shift = 64 - BitOperations.Log2((uint)_places.Length);
        _valueBytes = setting.ValueBytes;
        _recordBytes = (KeyBytes + setting.ValueBytes + KeyBytes - 1) & -KeyBytes;
        _records = (byte*)NativeMemory.AlignedAlloc((nuint)_recordBytes * (nuint)(setting.Keys + 1), Alignment);
    }

    public string Name => "bare table";

    public ICacheSession NewSession() => new Session(this);

    public void Dispose() => NativeMemory.AlignedFree(_records);

    private sealed class Session(TableContender table) : ICacheSession
    {
        public int ReadMany(ReadOnlySpan<int> keys)
        {
            var hits = 0;
            foreach (var key in keys)
            {
                hits += Read(key) ? 1 : 0;
            }

            return hits;
        }

        public bool Read(int key) =>
            table.Find(key, out _) is var record && record is not null && CacheValue.IsOf(key, new ReadOnlySpan<byte>(record + KeyBytes, table._valueBytes));

        public void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            foreach (var key in keys)
            {
                BinaryPrimitives.WriteInt64LittleEndian(value, key);
                var record = table.Find(key, out var cell);
                if (record is null)
                {
                    // Only one thread adds keys, before any is read.
                    table._places[cell] = ++table._count;
                    record = table._records + ((long)table._count * table._recordBytes);
                    *(long*)record = key;
                }

                value.CopyTo(new Span<byte>(record + KeyBytes, value.Length));
            }
        }

        public void Dispose()
        {
        }
    }

    // The record of a key, or null and the cell where its place belongs.
    private byte* Find(long key, out int cell)
    {
        for (cell = (int)(((ulong)key * 0x9E3779B97F4A7C15) >> _shift); _places[cell] is var place && place != 0; cell = (cell + 1) & (_places.Length - 1))
        {
            var record = _records + ((long)place * _recordBytes);
            if (*(long*)record == key)
            {
                return record;
            }
        }

        return null;
    }
}
