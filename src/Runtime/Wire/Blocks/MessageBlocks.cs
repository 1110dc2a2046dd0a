using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The blocks of a list of messages, checked to be inside of the message.
/// <code>
/// header (8) | presence bitmap, padded to 8, only if an element is null | count blocks | payloads of the elements
///                                                                         ^ start
/// </code>
/// </summary>
internal readonly ref struct MessageBlocks
{
    private readonly ref byte _start;
    private readonly int _count;
    private readonly int _blockBytes;
    private readonly int _bitmapBytes;
    private readonly int _regionBytes;

    public MessageBlocks(ref byte start, int count, int blockBytes, int bitmapBytes, int regionBytes)
    {
        _start = ref start;
        _count = count;
        _blockBytes = blockBytes;
        _bitmapBytes = bitmapBytes;
        _regionBytes = regionBytes;
    }

    public bool IsNull => Unsafe.IsNullRef(ref _start);

    public int Count => _count;

    /// <summary>Bytes of header, bitmap and blocks together.</summary>
    public int TotalBytes => WireFormat.MessageListHeaderBytes + _bitmapBytes + (_count * _blockBytes);

    /// <summary>Bytes from the list's header to the end of the message.</summary>
    public int RemainingBytes => _regionBytes + _bitmapBytes + WireFormat.MessageListHeaderBytes;

    /// <summary>Distance of two blocks in bytes.</summary>
    public int BlockBytes => _blockBytes;

    /// <summary>The block of an element; the default block if the element is null. The index is not checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BlockReader At(int index) => _bitmapBytes != 0 && !IsPresent(index) ? default : BlockAt(index * _blockBytes);

    /// <summary>The block of an element, by its distance from the first one; the default block if the element is null. The position is not checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BlockReader AtPosition(int position)
    {
        if (_bitmapBytes != 0 && !IsPresent((int)((uint)position / (uint)_blockBytes)))
        {
            return default;
        }

        return BlockAt(position);
    }

    private BlockReader BlockAt(int position) => new(ref Unsafe.Add(ref _start, (nint)(uint)position), _blockBytes, _regionBytes - position);

    // A call would keep the fields in memory, even if no element is null.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool IsPresent(int index) =>
        (Unsafe.Add(ref _start, (index >> 3) - _bitmapBytes) & (1 << (index & 7))) != 0;
}
