using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace BufferedMessages.Wire;

/// <content>The payloads that in-place writers append from spans, without a source object.</content>
public ref partial struct MessageWriter
{
    /// <summary>Appends a string and writes its slot.</summary>
    internal void WriteText(int container, int offset, scoped ReadOnlySpan<char> value)
    {
        if (value.Length <= WireFormat.MaxInlineBytes)
        {
            WriteShortText(container, offset, value);
            return;
        }

        var position = _end;
        var written = Convert(value, MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, position), _length - position));
        _end = position + written;
        WriteSlot(container, offset, position, written);
    }

    /// <summary>Appends a string that is UTF-8 already and writes its slot.</summary>
    internal void WriteUtf8(int container, int offset, scoped ReadOnlySpan<byte> value)
    {
        if (!Utf8.IsValid(value))
        {
            throw new ArgumentException("The bytes are not valid UTF-8. Pass valid UTF-8, or store them as a binary member.", nameof(value));
        }

        WriteBinary(container, offset, SourceElements.NotNull(value));
    }

    /// <summary>Claims a binary and writes its slot.</summary>
    /// <returns>Position of its bytes: in the slot if they are few. They are not cleared.</returns>
    internal int AppendBinary(int container, int offset, int length)
    {
        if (length <= WireFormat.MaxInlineBytes)
        {
            SlotAt(container, offset) = WireFormat.EmptySlot | ((ulong)length << 56);
            return container + offset;
        }

        var position = Claim(length, 1);
        WriteSlot(container, offset, position, length);
        return position;
    }

    /// <summary>Claims a list of fixed-size values and writes its slot.</summary>
    /// <returns>Position of the values. They are not cleared.</returns>
    internal int AppendValues<T>(int container, int offset, int count)
        where T : unmanaged
    {
        if (count == 0)
        {
            WriteEmpty(container, offset);
            return _end;
        }

        var position = Claim((long)count * Unsafe.SizeOf<T>(), WireValue.AlignmentOf<T>());
        WriteSlot(container, offset, position, count);
        return position;
    }

    /// <summary>Claims and clears the slots of a list and writes the list's slot.</summary>
    /// <returns>Position of the slots.</returns>
    internal int AppendSlots(int container, int offset, int count)
    {
        if (count == 0)
        {
            WriteEmpty(container, offset);
            return _end;
        }

        var slots = ClaimSlots(count);
        WriteSlot(container, offset, slots, count);
        return slots;
    }

    /// <summary>Claims and clears the block of a message and writes its slot.</summary>
    /// <returns>Position of the block.</returns>
    internal int AppendBlock(int container, int offset, int blockBytes)
    {
        var block = ClaimBlock(blockBytes);
        WriteSlot(container, offset, block, blockBytes / WireFormat.WordBytes);
        return block;
    }

    /// <summary>Claims and clears the blocks of a list of messages and writes its slot.</summary>
    /// <returns>Position of the list's header.</returns>
    internal int AppendBlocks(int container, int offset, int count, int blockBytes)
    {
        if (count == 0)
        {
            WriteEmpty(container, offset);
            return _end;
        }

        var list = ClaimBlocks(count, blockBytes, hasBitmap: false, out var blocks);
        MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, blocks), _end - blocks).Clear();
        WriteSlot(container, offset, list, count);
        return list;
    }

    private readonly int Convert(scoped ReadOnlySpan<char> value, scoped Span<byte> destination)
    {
        var written = Utf8Text.Write(value, destination);
        if (written < 0)
        {
            Utf8Text.ThrowFailure(written, _length);
        }

        return written;
    }
}
