using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// A dictionary or set in a message. Its header was checked to be inside of the message.
/// <code>
/// valuesOffset (4) | 0 (4) | start[buckets + 1], padded to 8, only above 8 entries | keys | values
/// </code>
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct DictionaryTable
{
    private readonly ref byte _start;
    private readonly int _count;
    private readonly int _regionBytes;
    private readonly int _keysOffset;
    private readonly int _valuesOffset;

    private DictionaryTable(ref byte start, int count, int regionBytes, int keysOffset, int valuesOffset)
    {
        Debug.Assert(count >= 0, "The count was checked when the dictionary was opened.");
        Debug.Assert(keysOffset >= 0 && keysOffset <= regionBytes, "The keys lie before the end of the message.");
        Debug.Assert(valuesOffset >= 0 && valuesOffset <= regionBytes, "The values lie before the end of the message; a set has none.");
        _start = ref start;
        _count = count;
        _regionBytes = regionBytes;
        _keysOffset = keysOffset;
        _valuesOffset = valuesOffset;
    }

    /// <summary>Gets whether the dictionary or set is null.</summary>
    public bool IsNull => Unsafe.IsNullRef(ref _start);

    /// <summary>Number of entries.</summary>
    internal int Count => _count;

    /// <summary>Bytes from the start of the payload to the end of the message.</summary>
    internal int RegionBytes => _regionBytes;

    /// <summary>Offset of the array of keys.</summary>
    internal int KeysOffset => _keysOffset;

    /// <summary>The first key, or its slot.</summary>
    internal ref byte KeyStart => ref Unsafe.Add(ref _start, _keysOffset);

    /// <summary>The keys, as the payload of a list.</summary>
    internal ListPlace Keys => IsNull ? default : new ListPlace(ref KeyStart, (uint)_count, _regionBytes - _keysOffset);

    /// <summary>The slots of keys that are strings.</summary>
    internal BlockReader KeySlots => new(ref KeyStart, _count * WireFormat.SlotBytes, _regionBytes - _keysOffset);

    /// <summary>The values, as the payload of a list.</summary>
    internal ListPlace Values => IsNull ? default : new ListPlace(ref Unsafe.Add(ref _start, _valuesOffset), (uint)_count, _regionBytes - _valuesOffset);

    /// <summary>Checks the header.</summary>
    /// <param name="place">The dictionary or set; it may be null.</param>
    /// <param name="keyBytes">Bytes of a key in the array of keys.</param>
    /// <param name="hasValues">Whether it is a dictionary.</param>
    internal static DictionaryTable Open(ListPlace place, int keyBytes, bool hasValues)
    {
        var count = place.ClaimedCount;
        if (count == 0)
        {
            return new DictionaryTable(ref place.Start, 0, place.RegionBytes, 0, 0);
        }

        var keysOffset = DictionaryLayout.KeysOffset(count);
        var keysEnd = keysOffset + ((long)count * keyBytes);
        if (keysEnd > place.RegionBytes)
        {
            Malformed.Throw(WireRule.List, place.RegionBytes);
        }

        // A set has no values, and the upper half is zero: one load, so that it cannot change between the checks.
        var header = Unsafe.ReadUnaligned<ulong>(ref place.Start);
        if (hasValues ? header < (ulong)keysEnd || header > (uint)place.RegionBytes : header != 0)
        {
            Malformed.Throw(hasValues ? WireRule.DictionaryHeader : WireRule.SetHeader, place.RegionBytes);
        }

        return new DictionaryTable(ref place.Start, (int)count, place.RegionBytes, (int)keysOffset, (int)header);
    }

    /// <summary>Finds the range of entries among which a key must be.</summary>
    /// <param name="key">The bytes of the key.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal (int First, int End) RangeOf(ReadOnlySpan<byte> key) =>
        _count <= WireFormat.MaxEntriesWithoutBuckets ? (0, _count) : BucketOf(XxHash64.Hash(key));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private (int First, int End) BucketOf(ulong hash)
    {
        var bucket = (nint)(hash & (ulong)(DictionaryLayout.BucketCount((uint)_count) - 1));

        // The starts of this bucket and of the next one.
        var range = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref _start, WireFormat.DictionaryHeaderBytes + (bucket * sizeof(uint))));
        var (first, end) = ((uint)range, (uint)(range >> 32));
        if (first > end || end > (uint)_count)
        {
            Malformed.Throw(WireRule.BucketRange, _regionBytes);
        }

        return ((int)first, (int)end);
    }
}
