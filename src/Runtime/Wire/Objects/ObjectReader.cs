using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The copy of a message into objects: one walk over its payloads in order. For generated code.
/// </summary>
/// <remarks>
/// Every payload must begin at or after the end of the one before. So no bytes are copied twice, and the time and the memory that a
/// hostile message can cost are linear in its size. Nesting ends at the format's depth limit.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct ObjectReader
{
    // Payloads not yet read are in this many bytes before the message's end.
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
            throw new InvalidOperationException("The message is null. Check IsNull first.");
        }

        var reader = new ObjectReader(block);
        return TBlock.Read(ref reader, block);
    }

    /// <summary>Copies a string, or returns null.</summary>
    public string? ReadString(BlockReader block, int offset)
    {
        var value = block.ReadBinary(offset);
        Pass(block, value);
        return SourceElements.IsNull(value) ? null : Utf8Text.Read(value);
    }

    /// <summary>Copies a binary, or returns null.</summary>
    public byte[]? ReadBinary(BlockReader block, int offset)
    {
        var value = block.ReadBinary(offset);
        Pass(block, value);
        return SourceElements.IsNull(value) ? null : value.ToArray();
    }

    /// <summary>Passes a string or a binary that is read elsewhere.</summary>
    internal void PassBinary(BlockReader block, int offset) => Pass(block, block.ReadBinary(offset));

    /// <summary>Copies a list of fixed-size values, or returns null.</summary>
    public T[]? ReadValues<T>(BlockReader block, int offset)
        where T : unmanaged
        => ReadList<T, ValueElements<T>>(block, offset);

    /// <summary>Copies a list of fixed-size values that may be null, or returns null.</summary>
    public T?[]? ReadNullables<T>(BlockReader block, int offset)
        where T : unmanaged
        => ReadList<T?, NullableElements<T>>(block, offset);

    /// <summary>Copies a list of strings, or returns null.</summary>
    public string?[]? ReadStrings(BlockReader block, int offset) => ReadList<string?, SlotElements<string?, TextSlot>>(block, offset);

    /// <summary>Copies a list, or returns null.</summary>
    /// <param name="block">The block or slot array that holds the list's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public T[]? ReadList<T, TElements>(BlockReader block, int offset)
        where TElements : IListElements<T>
    {
        var place = block.ReadPlace(offset);
        return place.IsNull ? null : TElements.Read(ref this, place);
    }

    /// <summary>Copies a nested message, or returns null.</summary>
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

        return CopyMessage<TSource, TBlock>(message);
    }

    /// <summary>Copies a list of messages, or returns null. A null element is the default value.</summary>
    /// <param name="block">The block or slot array that holds the list's slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    public TSource[]? ReadMessages<TSource, TBlock>(BlockReader block, int offset)
        where TBlock : IReadableBlock<TSource>
        => ReadList<TSource, MessageElements<TSource, TBlock>>(block, offset);

    /// <summary>Copies a nested message.</summary>
    private TSource CopyMessage<TSource, TBlock>(BlockReader message)
        where TBlock : IReadableBlock<TSource>
    {
        Pass(message.RegionBytes, message.BlockBytes);
        Enter(message.RegionBytes);
        var result = TBlock.Read(ref this, message);
        _depth--;
        return result;
    }

    /// <summary>Copies the values of a list.</summary>
    internal T[] CopyValues<T>(ListPlace place)
        where T : unmanaged
    {
        var list = place.Values<T>();
        Pass(list.RegionBytes, list.Count * Unsafe.SizeOf<T>());
        var values = new T[list.Count];
        for (var i = 0; i < values.Length; i++)
        {
            values[i] = list.ValueAt<T>(i);
        }

        return values;
    }

    /// <summary>Copies the values of a list, which may be null.</summary>
    internal T?[] CopyNullables<T>(ListPlace place)
        where T : unmanaged
    {
        var list = place.Nullables<T>();
        Pass(list.RegionBytes, list.NullablesBytes<T>());
        var values = new T?[list.Count];
        for (var i = 0; i < values.Length; i++)
        {
            values[i] = list.NullableAt<T>(i);
        }

        return values;
    }

    /// <summary>Passes the slots of a list; their payloads are copied next.</summary>
    internal BlockReader PassSlots(ListPlace place)
    {
        var slots = place.Slots();
        Pass(slots.RegionBytes, slots.BlockBytes);
        return slots;
    }

    /// <summary>Copies the messages of a list.</summary>
    internal TSource[] CopyMessages<TSource, TBlock>(ListPlace place)
        where TBlock : IReadableBlock<TSource>
    {
        var blocks = place.Messages();
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

    // Short ones may be in their slot; they cost no more than the slot does.
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
            Malformed.Throw(WireRule.Order, remainingBytes);
        }

        _unreadBytes = remainingBytes - payloadBytes;
    }

    private void Enter(int remainingBytes)
    {
        if (++_depth > WireFormat.MaxDepth)
        {
            Malformed.Throw(WireRule.Depth, remainingBytes);
        }
    }
}
