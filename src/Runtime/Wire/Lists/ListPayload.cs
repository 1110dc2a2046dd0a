using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>The place of a list's elements, and their number.</summary>
internal readonly ref struct ListPayload
{
    private readonly ref byte _start;

    public ListPayload(ref byte start, int count, int regionBytes)
    {
        Debug.Assert(count >= 0, "The count was checked when the list was opened.");
        Debug.Assert(regionBytes >= 0, "A list lies before the end of the message.");
        _start = ref start;
        Count = count;
        RegionBytes = regionBytes;
    }

    /// <summary>Whether the list is null.</summary>
    public bool IsNull => Unsafe.IsNullRef(ref _start);

    /// <summary>Number of elements, checked to be inside of the message.</summary>
    public int Count { get; }

    /// <summary>Bytes from the start of the payload to the end of the message.</summary>
    public int RegionBytes { get; }

    /// <summary>The first byte of the payload.</summary>
    public ref byte Start => ref _start;

    /// <summary>A value of a list of fixed-size values. The index is not checked.</summary>
    public T ValueAt<T>(int index)
        where T : unmanaged
        => WireValue.Read<T>(ref Unsafe.Add(ref _start, (nint)index * Unsafe.SizeOf<T>()), RegionBytes);

    /// <summary>A value of a list of fixed-size values, by its position in bytes, which is not checked.</summary>
    public T ValueAtPosition<T>(int position)
        where T : unmanaged
        => WireValue.Read<T>(ref Unsafe.Add(ref _start, (nint)position), RegionBytes);

    /// <summary>A value of a list of fixed-size values that may be null. The index is not checked.</summary>
    public T? NullableAt<T>(int index)
        where T : unmanaged
        => (Unsafe.Add(ref _start, index >> 3) & (1 << (index & 7))) == 0
            ? null
            : WireValue.Read<T>(ref Unsafe.Add(ref _start, NullablesOffset<T>() + ((nint)index * Unsafe.SizeOf<T>())), RegionBytes);

    /// <summary>Bytes of the presence bitmap, its padding and the values of a list of values that may be null.</summary>
    public int NullablesBytes<T>()
        where T : unmanaged
        => NullablesOffset<T>() + (Count * Unsafe.SizeOf<T>());

    private int NullablesOffset<T>()
        where T : unmanaged
        => (int)ListLayout.ValuesOffset(Count, WireValue.AlignmentOf<T>());
}
