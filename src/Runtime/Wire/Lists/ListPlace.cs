using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The beginning of a list and the number of elements that its bytes claim. The caller knows their kind, and so whether they fit.
/// For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct ListPlace
{
    private readonly ref byte _start;
    private readonly uint _count;
    private readonly int _regionBytes;

    internal ListPlace(ref byte start, uint count, int regionBytes)
    {
        Debug.Assert(regionBytes >= 0, "A list lies before the end of the message.");
        _start = ref start;
        _count = count;
        _regionBytes = regionBytes;
    }

    /// <summary>Gets whether the list is null.</summary>
    public bool IsNull => Unsafe.IsNullRef(ref _start);

    /// <summary>The first byte of the payload.</summary>
    internal ref byte Start => ref _start;

    /// <summary>Number of elements, not checked against the region.</summary>
    internal uint ClaimedCount => _count;

    /// <summary>Bytes from the start of the payload to the end of the message.</summary>
    internal int RegionBytes => _regionBytes;

    /// <summary>The elements as fixed-size values.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ListPayload Values<T>()
        where T : unmanaged
    {
        if ((ulong)_count * (uint)Unsafe.SizeOf<T>() > (uint)_regionBytes)
        {
            Malformed.Throw(WireRule.List, _regionBytes);
        }

        return new ListPayload(ref _start, (int)_count, _regionBytes);
    }

    /// <summary>The elements as fixed-size values of which every bit pattern is valid; the default span if the list is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<T> Span<T>()
        where T : unmanaged
    {
        var list = Values<T>();
        return list.IsNull ? default : WireValue.AsSpan<T>(ref list.Start, list.Count);
    }

    /// <summary>The elements as fixed-size values that may be null: a presence bitmap, then the values.</summary>
    internal ListPayload Nullables<T>()
        where T : unmanaged
    {
        var valuesOffset = ListLayout.ValuesOffset(_count, WireValue.AlignmentOf<T>());
        if (_count != 0 && (ulong)valuesOffset + ((ulong)_count * (uint)Unsafe.SizeOf<T>()) > (uint)_regionBytes)
        {
            Malformed.Throw(WireRule.List, _regionBytes);
        }

        return new ListPayload(ref _start, (int)_count, _regionBytes);
    }

    /// <summary>The elements as strings, binaries, unions, lists, sets or dictionaries: an array of slots, which is read like a block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BlockReader Slots()
    {
        var slotBytes = (ulong)_count * WireFormat.SlotBytes;
        if (slotBytes > (uint)_regionBytes)
        {
            Malformed.Throw(WireRule.List, _regionBytes);
        }

        return new BlockReader(ref _start, (int)slotBytes, _regionBytes);
    }

    /// <summary>The elements as messages.</summary>
    internal MessageBlocks Messages()
    {
        if (_count == 0)
        {
            return new MessageBlocks(ref _start, 0, 0, 0, _regionBytes);
        }

        if (_regionBytes < WireFormat.MessageListHeaderBytes)
        {
            Malformed.Throw(WireRule.List, _regionBytes);
        }

        var header = Unsafe.ReadUnaligned<ulong>(ref _start);
        var blockWords = (uint)(ushort)header;
        var flags = header >> 16;
        if (blockWords == 0 || flags > WireFormat.MessageListHasBitmap)
        {
            Malformed.Throw(WireRule.MessageListHeader, _regionBytes);
        }

        var bitmapBytes = flags == 0 ? 0 : ListLayout.ValuesOffset(_count, WireFormat.WordBytes);
        var blocksOffset = WireFormat.MessageListHeaderBytes + (ulong)bitmapBytes;
        if (blocksOffset + ((ulong)_count * blockWords * WireFormat.WordBytes) > (uint)_regionBytes)
        {
            Malformed.Throw(WireRule.List, _regionBytes);
        }

        return new MessageBlocks(
            ref Unsafe.Add(ref _start, (nint)blocksOffset),
            (int)_count,
            (int)blockWords * WireFormat.WordBytes,
            (int)bitmapBytes,
            _regionBytes - (int)blocksOffset);
    }
}
