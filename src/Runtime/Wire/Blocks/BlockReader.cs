using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The reader of the members of one block in place: fixed-size values at known offsets, and payloads through slots. A slot array is read
/// the same way, as a block of slots only. For generated code.
/// </summary>
/// <remarks>
/// Memory safety does not depend on the bytes, even while another process writes to the memory: every slot and header is loaded once
/// into a local and checked there. A member beyond the writer's block reads as zero or null: the writer did not know it.
/// The region reaches from the block's first byte to the end of the message.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct BlockReader
{
    private const uint InlineMark = (uint)(WireFormat.EmptySlot >> 56);

    private readonly ref byte _start;
    private readonly int _blockBytes;
    private readonly int _regionBytes;

    internal BlockReader(ref byte start, int blockBytes, int regionBytes)
    {
        Debug.Assert(blockBytes >= 0 && blockBytes <= regionBytes, "A block lies before the end of the message.");
        _start = ref start;
        _blockBytes = blockBytes;
        _regionBytes = regionBytes;
    }

    /// <summary>Gets whether this is the block of a message that is null.</summary>
    public bool IsNull => Unsafe.IsNullRef(ref _start);

    /// <summary>Bytes from the start of this block to the end of the message.</summary>
    internal int RegionBytes => _regionBytes;

    /// <summary>Size of this block in bytes, as its writer knew it.</summary>
    internal int BlockBytes => _blockBytes;

    /// <summary>The bytes from the start of this block to the end of the message.</summary>
    internal ReadOnlySpan<byte> Region => MemoryMarshal.CreateReadOnlySpan(ref _start, _regionBytes);

    /// <summary>Checks the header of a message and returns its root block.</summary>
    /// <param name="message">The message, at any alignment; bytes after its end are ignored.</param>
    /// <exception cref="MalformedMessageException">The bytes do not start with the header of a whole message.</exception>
    public static BlockReader OfMessage(ReadOnlySpan<byte> message)
    {
        if (Open(message, out var root) is { } rule)
        {
            Malformed.Throw(rule, message.Length);
        }

        return root;
    }

    /// <summary>Checks the header of a message. Returns the rule that it breaks; null, and the root block, if it breaks none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string? Open(ReadOnlySpan<byte> message, out BlockReader root)
    {
        ByteOrder.Require();
        root = default;
        if (message.Length < WireFormat.HeaderBytes + WireFormat.WordBytes)
        {
            return WireRule.TooShort;
        }

        ref var start = ref MemoryMarshal.GetReference(message);
        var header = Unsafe.ReadUnaligned<ulong>(ref start);
        var blockBytes = (int)(ushort)header * WireFormat.WordBytes;
        var totalBytes = (uint)(header >> 32);
        if ((ushort)(header >> 16) != WireFormat.Version)
        {
            return WireRule.Header;
        }

        if (totalBytes % WireFormat.WordBytes != 0 || totalBytes > (uint)message.Length)
        {
            return WireRule.TotalBytes;
        }

        if (blockBytes == 0 || totalBytes < (uint)(WireFormat.HeaderBytes + blockBytes))
        {
            return WireRule.RootBlock;
        }

        root = new BlockReader(ref Unsafe.Add(ref start, WireFormat.HeaderBytes), blockBytes, (int)totalBytes - WireFormat.HeaderBytes);
        return null;
    }

    /// <summary>Reads a fixed-size value; zero if the writer did not know the member.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read<T>(int offset)
        where T : unmanaged
        => Holds(offset, Unsafe.SizeOf<T>()) ? WireValue.Read<T>(ref Unsafe.Add(ref _start, offset), _regionBytes) : default;

    /// <summary>Reads a fixed-size value that may be null.</summary>
    /// <param name="offset">Offset of the value in the block.</param>
    /// <param name="presenceBit">Number of its presence bit, counted from the first bit of the block.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T? ReadNullable<T>(int offset, int presenceBit)
        where T : unmanaged
        => Math.Max((ulong)(uint)offset + (uint)Unsafe.SizeOf<T>(), (ulong)(uint)(presenceBit >> 3) + 1) <= (uint)_blockBytes
            && (Unsafe.Add(ref _start, presenceBit >> 3) & (1 << (presenceBit & 7))) != 0
                ? WireValue.Read<T>(ref Unsafe.Add(ref _start, offset), _regionBytes)
                : null;

    /// <summary>Reads a binary; returns the default span for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> ReadBinary(int offset) => BinaryOf(ReadSlot(offset), offset);

    /// <summary>Reads a binary of a slot array; returns the default span for null. The offset is not checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<byte> ReadBinaryElement(int offset)
    {
        Debug.Assert(Holds(offset, WireFormat.SlotBytes), "The caller compares the offset with the size of the array.");
        return BinaryOf(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref _start, (nint)(uint)offset)), offset);
    }

    /// <summary>Reads a nested message's block; returns the default block for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BlockReader ReadMessage(int offset)
    {
        var slot = ReadSlot(offset);
        if (slot == 0)
        {
            return default;
        }

        // The low half is u16 blockWords and u16 zero: one compare refuses an empty block and a set upper half.
        return BlockAt((uint)(slot >> 32), (uint)slot);
    }

    /// <summary>Reads a union's case; returns the default one for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CaseReader ReadCase(int offset)
    {
        var slot = ReadSlot(offset);
        if (slot == 0)
        {
            return default;
        }

        // The low half is u16 blockWords and u16 number of the case.
        var number = (ushort)(slot >> 16);
        if (number == 0)
        {
            Malformed.Throw(WireRule.Case, _regionBytes);
        }

        return new CaseReader(BlockAt((uint)(slot >> 32), (ushort)slot), number);
    }

    /// <summary>Reads a list of fixed-size values of which every bit pattern is valid, in place; returns the default span for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<T> ReadSpan<T>(int offset)
        where T : unmanaged
        => ReadPlace(offset).Span<T>();

    /// <summary>Finds a list, a set or a dictionary; whether its elements fit into the region depends on their kind.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ListPlace ReadPlace(int offset)
    {
        var slot = ReadSlot(offset);
        if (slot == 0)
        {
            return default;
        }

        if (slot == WireFormat.EmptySlot)
        {
            return new ListPlace(ref _start, 0, _regionBytes);
        }

        var payload = (uint)(slot >> 32);
        if (payload < (uint)_blockBytes || payload > (uint)_regionBytes)
        {
            Malformed.Throw(WireRule.Payload, _regionBytes);
        }

        return new ListPlace(ref Unsafe.Add(ref _start, payload), (uint)slot, _regionBytes - (int)payload);
    }

    /// <summary>Describes the block for the debugger.</summary>
    public override string ToString() => IsNull ? "null" : $"{_blockBytes} byte block, {_regionBytes} bytes to the end of the message";

    /// <summary>Bytes from the start of a payload of this block to the end of the message.</summary>
    internal int RemainingAt(ref byte payload) => _regionBytes - (int)Unsafe.ByteOffset(ref _start, ref payload);

    /// <summary>Whether the writer's block holds a number of bytes at an offset.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Holds(int offset, int bytes) => (ulong)(uint)offset + (uint)bytes <= (uint)_blockBytes;

    /// <summary>Loads a slot; zero if the writer did not know the member.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ulong ReadSlot(int offset) =>
        Holds(offset, WireFormat.SlotBytes) ? Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref _start, offset)) : 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private BlockReader BlockAt(uint payload, uint blockWords)
    {
        var blockBytes = blockWords * WireFormat.WordBytes;
        if (blockWords - 1 >= WireFormat.MaxBlockWords
            || payload < (uint)_blockBytes
            || (ulong)payload + blockBytes > (uint)_regionBytes)
        {
            Malformed.Throw(WireRule.Payload, _regionBytes);
        }

        return new BlockReader(ref Unsafe.Add(ref _start, payload), (int)blockBytes, _regionBytes - (int)payload);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> BinaryOf(ulong slot, int offset)
    {
        if ((long)slot > 0)
        {
            var payload = slot >> 32;
            var length = slot & uint.MaxValue;
            if (payload + length > (uint)_regionBytes)
            {
                Malformed.Throw(WireRule.Payload, _regionBytes);
            }

            return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _start, (nint)payload), (int)length);
        }

        // The bytes stay where they are, in the slot; its length was loaded once, so they end in the slot even if it changes.
        // A null slot has no mark, so its length is too large.
        var inlineLength = (uint)(slot >> 56) - InlineMark;
        if (inlineLength <= WireFormat.MaxInlineBytes)
        {
            return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _start, (nint)(uint)offset), (int)inlineLength);
        }

        if (slot != 0)
        {
            Malformed.Throw(WireRule.InlineLength, _regionBytes);
        }

        return default;
    }
}
