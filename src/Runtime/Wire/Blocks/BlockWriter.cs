using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The writer of the fixed-size values of one block. The block's size and the offsets are constants in generated code, so its checks fold away. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct BlockWriter
{
    private readonly ref byte _start;
    private readonly int _blockBytes;

    internal BlockWriter(ref byte start, int blockBytes)
    {
        Debug.Assert(blockBytes > 0 && blockBytes % WireFormat.WordBytes == 0, "A block consists of words.");
        _start = ref start;
        _blockBytes = blockBytes;
    }

    /// <summary>Writes a fixed-size value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(int offset, T value)
        where T : unmanaged
    {
        Require(offset, Unsafe.SizeOf<T>());
        WireValue.Write(ref Unsafe.Add(ref _start, offset), value);
    }

    /// <summary>Clears padding of a struct that was written.</summary>
    /// <param name="offset">Offset of the padding in the block.</param>
    /// <param name="bytes">Its bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Clear(int offset, int bytes)
    {
        Require(offset, bytes);
        Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref _start, offset), 0, (uint)bytes);
    }

    /// <summary>Writes a fixed-size value that may be null.</summary>
    /// <param name="offset">Offset of the value in the block.</param>
    /// <param name="presenceBit">Number of its presence bit, counted from the first bit of the block.</param>
    /// <param name="value">The value, or null.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteNullable<T>(int offset, int presenceBit, T? value)
        where T : unmanaged
    {
        if (value.HasValue)
        {
            Require(presenceBit >> 3, 1);
            Unsafe.Add(ref _start, presenceBit >> 3) |= (byte)(1 << (presenceBit & 7));
            Write(offset, value.GetValueOrDefault());
        }
    }

    /// <summary>Writes a struct that has padding and may be null.</summary>
    public void WriteNullable<T>(int offset, int presenceBit, T? value, ReadOnlySpan<ushort> padding)
        where T : unmanaged
    {
        if (value.HasValue)
        {
            WriteNullable(offset, presenceBit, value);
            StructPadding.Clear(ref Unsafe.Add(ref _start, offset), count: 1, Unsafe.SizeOf<T>(), padding);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Require(int offset, int bytes)
    {
        if ((uint)offset > (uint)_blockBytes || offset + bytes > _blockBytes)
        {
            WriteFailure.ThrowOutsideOfBlock();
        }
    }
}
