using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>Where the elements of a list lie, and how many there are.</summary>
internal readonly ref struct ListPayload
{
    private readonly ref byte _start;

    public ListPayload(ref byte start, int count, int regionBytes)
    {
        _start = ref start;
        Count = count;
        RegionBytes = regionBytes;
    }

    /// <summary>Whether the list is null.</summary>
    public bool IsNull => Unsafe.IsNullRef(ref _start);

    /// <summary>Number of elements, checked to lie inside of the message.</summary>
    public int Count { get; }

    /// <summary>Bytes from the start of the payload to the end of the message.</summary>
    public int RegionBytes { get; }

    /// <summary>The first byte of the payload.</summary>
    public ref byte Start => ref _start;
}
