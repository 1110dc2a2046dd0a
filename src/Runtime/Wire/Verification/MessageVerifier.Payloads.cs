using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <content>The payloads of slots.</content>
public ref partial struct MessageVerifier
{
    private const ulong InlineBytesMask = 0x00FF_FFFF_FFFF_FFFF;
    private const ulong InlineNotAscii = 0x0080_8080_8080_8080;

    /// <summary>Verifies a string, binary, union, list, set or dictionary.</summary>
    public bool Payload<TPayload>(BlockReader block, int offset, string name)
        where TPayload : IVerifiedPayload, allows ref struct
        => TPayload.Verify(ref this, block, offset) || In(name);

    /// <summary>Verifies a list or dictionary of structs that have padding: pairs of offset and length, in bytes.</summary>
    public bool Payload<TPayload>(BlockReader block, int offset, string name, ReadOnlySpan<ushort> padding)
        where TPayload : IVerifiedPayload, allows ref struct
    {
        _padding = padding;
        var isValid = Payload<TPayload>(block, offset, name);
        _padding = default;
        return isValid;
    }

    /// <summary>Verifies a nested message.</summary>
    public bool Message<TBlock>(BlockReader block, int offset, string name)
        where TBlock : IVerifiedBlock, allows ref struct
    {
        var slot = block.ReadSlot(offset);
        return slot == 0 || Nested<TBlock>(Follow(block, offset, slot), (uint)slot) || In(name);
    }

    /// <summary>Verifies a string.</summary>
    internal bool Text(BlockReader container, int offset)
    {
        var slot = container.ReadSlot(offset);
        return slot == 0 || Text(container, offset, slot, out _);
    }

    /// <summary>Verifies a binary.</summary>
    internal bool Binary(BlockReader container, int offset)
    {
        var slot = container.ReadSlot(offset);
        return (long)slot > 0
            ? Content(Follow(container, offset, slot), (uint)slot)
            : slot == 0 || Inline(container, offset, slot);
    }

    /// <summary>Verifies a list.</summary>
    internal bool List<TElements>(BlockReader container, int offset)
        where TElements : IVerifiedElements, allows ref struct
        => List(container, offset, out var position, out var count) && (count == 0 || TElements.Verify(ref this, position, count));

    /// <summary>Reads the slot of a list, set or dictionary; no elements if it is null or empty.</summary>
    internal bool List(BlockReader container, int offset, out ulong position, out uint count)
    {
        var slot = container.ReadSlot(offset);
        position = 0;
        count = 0;
        if (slot is 0 or WireFormat.EmptySlot)
        {
            return true;
        }

        count = (uint)slot;
        position = Follow(container, offset, slot);
        return count != 0 || Fail(_slot, WireRule.EmptyList);
    }

    /// <summary>Verifies fixed-size values.</summary>
    internal bool Values<T>(ulong position, uint count)
        where T : unmanaged
    {
        if (!Claim(position, (ulong)count * (uint)Unsafe.SizeOf<T>(), WireValue.AlignmentOf<T>()))
        {
            return false;
        }

        if (typeof(T) == typeof(bool))
        {
            var index = Bytes((int)position, (int)count).IndexOfAnyExceptInRange((byte)0, (byte)1);
            return index < 0 || (!Fail((int)position + index, WireRule.Bool) && In(index));
        }

        if (!WireValue.IsChecked<T>() && (_padding.IsEmpty || StructPadding.AreZero<T>(ref At((int)position), (int)count, _padding)))
        {
            return true;
        }

        for (var i = 0; i < count; i++)
        {
            var at = (int)position + (i * Unsafe.SizeOf<T>());
            if (!Value<T>(at) || !Padding(at, _padding))
            {
                return In(i);
            }
        }

        return true;
    }

    /// <summary>Verifies fixed-size values that may be null.</summary>
    internal bool Nullables<T>(ulong position, uint count)
        where T : unmanaged
    {
        if (!NullableArray(position, count, Unsafe.SizeOf<T>(), WireValue.AlignmentOf<T>(), out var values))
        {
            return false;
        }

        for (var i = 0; i < count; i++)
        {
            if (!Nullable<T>(values + (i * Unsafe.SizeOf<T>()), IsPresent((int)position, i), _padding))
            {
                return In(i);
            }
        }

        return true;
    }

    /// <summary>Verifies strings, binaries, unions, lists, sets or dictionaries.</summary>
    internal bool Slots<TElement>(ulong position, uint count)
        where TElement : IVerifiedPayload, allows ref struct
    {
        if (!SlotArray(position, count, out var slots))
        {
            return false;
        }

        for (var i = 0; i < count; i++)
        {
            if (!TElement.Verify(ref this, slots, i * WireFormat.SlotBytes))
            {
                return In(i);
            }
        }

        return true;
    }

    /// <summary>Verifies messages that are elements.</summary>
    internal bool Messages<TBlock>(ulong position, uint count)
        where TBlock : IVerifiedBlock, allows ref struct
        => BlockArray(position, count, out var first, out var blockBytes, out var bitmap) && Blocks<TBlock>(first, (int)count, blockBytes, bitmap);

    private bool Blocks<TBlock>(int position, int count, int blockBytes, int bitmap)
        where TBlock : IVerifiedBlock, allows ref struct
    {
        for (var i = 0; i < count; i++)
        {
            var isValid = bitmap == 0 || IsPresent(bitmap, i)
                ? TBlock.Verify(ref this, BlockAt(position, blockBytes))
                : Zeros(position, blockBytes, WireRule.AbsentMessage);
            if (!isValid)
            {
                return In(i);
            }

            position += blockBytes;
        }

        return Leave();
    }

    private bool Nested<TBlock>(ulong position, uint blockWords)
        where TBlock : IVerifiedBlock, allows ref struct
        => Enter(position, blockWords, out var block) && TBlock.Verify(ref this, block) && Leave();

    /// <summary>Steps past the block of a nested message, and one deeper: <see cref="Leave"/> ends that.</summary>
    internal bool Enter(ulong position, uint blockWords, out BlockReader block)
    {
        block = default;
        if (blockWords - 1 >= WireFormat.MaxBlockWords)
        {
            return Fail(_slot, WireRule.NestedSlot);
        }

        var blockBytes = blockWords * WireFormat.WordBytes;
        if (!Claim(position, blockBytes, WireFormat.WordBytes) || !Enter())
        {
            return false;
        }

        block = BlockAt((int)position, (int)blockBytes);
        return true;
    }

    private bool Text(BlockReader container, int offset, ulong slot, out ReadOnlySpan<byte> text)
    {
        text = default;
        if ((long)slot < 0)
        {
            text = Bytes(PositionOf(container) + offset, (int)(slot >> 56) & 0x7F);
            return Inline(container, offset, slot) && InlineText(container, offset, slot);
        }

        var position = Follow(container, offset, slot);
        if (!Content(position, (uint)slot))
        {
            return false;
        }

        text = Bytes((int)position, (int)slot);
        return Utf8Text.IsValid(text) || Fail((int)position, WireRule.Text);
    }

    // The bytes of a string or binary that is not stored in its slot.
    private bool Content(ulong position, uint length) =>
        length > WireFormat.MaxInlineBytes ? Claim(position, length, alignment: 1) : Fail(_slot, WireRule.NotInline);

    private bool Inline(BlockReader container, int offset, ulong slot)
    {
        var length = (int)(slot >> 56) & 0x7F;
        if (length > WireFormat.MaxInlineBytes)
        {
            return Fail(PositionOf(container) + offset, WireRule.InlineLength);
        }

        return (slot & InlineBytesMask) >> (8 * length) == 0 || Fail(PositionOf(container) + offset, WireRule.InlineBytes);
    }

    private bool InlineText(BlockReader container, int offset, ulong slot)
    {
        if ((slot & InlineNotAscii) == 0)
        {
            return true;
        }

        var bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<ulong>(in slot))[..((int)(slot >> 56) & 0x7F)];
        return Utf8Text.IsValid(bytes) || Fail(PositionOf(container) + offset, WireRule.Text);
    }
}
