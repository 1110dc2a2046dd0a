using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>Reads an element of a list through its slot.</summary>
/// <param name="reader">The walk over the message.</param>
/// <param name="slots">The slot array.</param>
/// <param name="offset">Offset of the slot in it, in bytes.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate T SlotElementReader<out T>(ref ObjectReader reader, BlockReader slots, int offset);

/// <summary>
/// Copies a message into objects: one walk over its payloads in order. For generated code.
/// </summary>
/// <remarks>
/// Every payload must begin at or behind the end of the one before. So no bytes are copied twice, and the time and the memory that a
/// hostile message can cost are linear in its size. Nesting ends at the format's depth limit.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct ObjectReader
{
    // Payloads not yet read lie in this many bytes before the message's end.
    private int _unreadBytes;
    private int _depth;

    private ObjectReader(BlockReader block)
    {
        _unreadBytes = block.RegionBytes - block.BlockBytes;
        _depth = 1;
    }

    /// <summary>Copies a message.</summary>
    /// <param name="block">The block of the message; it may be nested in another one.</param>
    /// <exception cref="InvalidOperationException">The message is null.</exception>
    public static TSource Read<TSource, TBlock>(BlockReader block)
        where TBlock : IReadableBlock<TSource>
    {
        if (block.IsNull)
        {
            throw new InvalidOperationException("The message is null. Look at IsNull first.");
        }

        var reader = new ObjectReader(block);
        return TBlock.Read(ref reader, block);
    }

    /// <summary>Copies a string, or gives null.</summary>
    public string? ReadString(BlockReader block, int offset)
    {
        var value = block.ReadString(offset);
        Pass(block, value.Utf8);
        return value.ToString();
    }

    /// <summary>Copies a binary, or gives null.</summary>
    public byte[]? ReadBinary(BlockReader block, int offset)
    {
        var value = block.ReadBinary(offset);
        Pass(block, value);
        return value.IsNull ? null : value.ToArray();
    }

    /// <summary>Copies a list of fixed-size values, or gives null.</summary>
    public T[]? ReadValues<T>(BlockReader block, int offset)
        where T : unmanaged
    {
        var list = block.ReadValueList<T>(offset);
        if (list.IsNull)
        {
            return null;
        }

        Pass(list.RemainingBytes, list.Count * Unsafe.SizeOf<T>());
        var values = new T[list.Count];
        for (var i = 0; i < values.Length; i++)
        {
            values[i] = list[i];
        }

        return values;
    }

    /// <summary>Copies a list of fixed-size values that may be null, or gives null.</summary>
    public T?[]? ReadNullables<T>(BlockReader block, int offset)
        where T : unmanaged
    {
        var list = block.ReadNullableList<T>(offset);
        if (list.IsNull)
        {
            return null;
        }

        Pass(list.RemainingBytes, list.TotalBytes);
        var values = new T?[list.Count];
        for (var i = 0; i < values.Length; i++)
        {
            values[i] = list[i];
        }

        return values;
    }

    /// <summary>Copies a list of strings, or gives null.</summary>
    public string?[]? ReadStrings(BlockReader block, int offset) =>
        ReadList(block, offset, static (ref reader, slots, at) => reader.ReadString(slots, at));

    /// <summary>Copies a list of strings, binaries or lists, or gives null.</summary>
    /// <param name="block">The block or slot array that holds the list's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="readElement">Copies one element.</param>
    public T[]? ReadList<T>(BlockReader block, int offset, SlotElementReader<T> readElement)
    {
        var slots = block.ReadSlots(offset);
        if (slots.IsNull)
        {
            return null;
        }

        Pass(slots.RegionBytes, slots.BlockBytes);
        var elements = new T[slots.BlockBytes / WireFormat.SlotBytes];
        for (var i = 0; i < elements.Length; i++)
        {
            elements[i] = readElement(ref this, slots, i * WireFormat.SlotBytes);
        }

        return elements;
    }

    /// <summary>Copies a nested message, or gives null.</summary>
    /// <param name="block">The block that holds the message's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public TSource? ReadMessage<TSource, TBlock>(BlockReader block, int offset)
        where TBlock : IReadableBlock<TSource>
    {
        var message = block.ReadMessage(offset);
        if (message.IsNull)
        {
            return default;
        }

        Pass(message.RegionBytes, message.BlockBytes);
        Enter(message.RegionBytes);
        var result = TBlock.Read(ref this, message);
        _depth--;
        return result;
    }

    /// <summary>Copies a list of messages, or gives null. A null element is the default value.</summary>
    /// <param name="block">The block or slot array that holds the list's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public TSource[]? ReadMessages<TSource, TBlock>(BlockReader block, int offset)
        where TBlock : IReadableBlock<TSource>
    {
        var blocks = block.ReadMessageBlocks(offset);
        if (blocks.IsNull)
        {
            return null;
        }

        if (blocks.Count == 0)
        {
            return [];
        }

        Pass(blocks.RemainingBytes, blocks.TotalBytes);
        Enter(blocks.RemainingBytes);
        var elements = new TSource[blocks.Count];
        for (var i = 0; i < elements.Length; i++)
        {
            var element = blocks.At(i);
            if (!element.IsNull)
            {
                elements[i] = TBlock.Read(ref this, element);
            }
        }

        _depth--;
        return elements;
    }

    // Short ones may lie in their slot; they cost no more than the slot does.
    private void Pass(BlockReader block, ReadOnlySpan<byte> value)
    {
        if (value.Length > WireFormat.MaxInlineBytes)
        {
            Pass(block.RemainingAt(ref MemoryMarshal.GetReference(value)), value.Length);
        }
    }

    private void Pass(int remainingBytes, int payloadBytes)
    {
        if (payloadBytes == 0)
        {
            return;
        }

        if (remainingBytes > _unreadBytes)
        {
            Malformed.ThrowOrder(remainingBytes);
        }

        _unreadBytes = remainingBytes - payloadBytes;
    }

    private void Enter(int remainingBytes)
    {
        if (++_depth > WireFormat.MaxDepth)
        {
            Malformed.ThrowDepth(remainingBytes);
        }
    }
}
