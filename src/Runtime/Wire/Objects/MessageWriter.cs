using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The writer of one message, front to back into a span: blocks and slot arrays are claimed and cleared, payloads are appended.
/// Positions are byte offsets from the message's start. Nothing is ever written outside of the span. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct MessageWriter
{
    // The type of the root block, by which a scratch knows its own message; null if the message is written in place.
    private readonly Type? _root;
    private ref byte _start;
    private int _length;
    private int _end;

    internal MessageWriter(Span<byte> destination, int blockBytes, Type? root = null)
    {
        Debug.Assert(blockBytes > 0 && blockBytes % WireFormat.WordBytes == 0, "A block consists of words.");
        ByteOrder.Require();
        _root = root;
        _start = ref MemoryMarshal.GetReference(destination);
        _length = destination.Length;
        if (_length < WireFormat.HeaderBytes + blockBytes)
        {
            Grow(WireFormat.HeaderBytes + blockBytes);
        }

        Unsafe.WriteUnaligned(ref _start, (ulong)(uint)(blockBytes / WireFormat.WordBytes) | ((ulong)WireFormat.Version << 16));
        Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref _start, WireFormat.HeaderBytes), 0, (uint)blockBytes);
        _end = WireFormat.HeaderBytes + blockBytes;
    }

    /// <summary>Continues a message that is written in place.</summary>
    internal MessageWriter(Span<byte> destination, MessageAppends appends)
    {
        _start = ref MemoryMarshal.GetReference(destination);
        _length = destination.Length;
        _end = appends.End;
    }

    /// <summary>The message's bytes so far.</summary>
    internal readonly int End => _end;

    /// <summary>Writes a message to the start of a span.</summary>
    /// <param name="source">The message.</param>
    /// <param name="destination">The memory to write to; it needs no clearing.</param>
    /// <returns>The size of the message in bytes, a multiple of 8.</returns>
    /// <exception cref="ArgumentException">The destination is too small.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    public static int Write<TSource, TBlock>(TSource source, Span<byte> destination)
        where TBlock : IMessageBlock<TSource>
    {
        var writer = new MessageWriter(destination, TBlock.Bytes, typeof(TBlock));
        TBlock.Write(SourcePlace.Of(in source), ref writer, WireFormat.HeaderBytes, depth: 1);
        return writer.Finish();
    }

    /// <summary>Returns the writer of the fixed-size values of a block.</summary>
    /// <param name="block">Position of the block, claimed before.</param>
    /// <param name="blockBytes">Size of the block in bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly BlockWriter Block(int block, int blockBytes)
    {
        if ((ulong)(uint)block + (uint)blockBytes > (uint)_length)
        {
            WriteFailure.ThrowOutsideOfBlock();
        }

        return new BlockWriter(ref Unsafe.Add(ref _start, block), blockBytes);
    }

    /// <summary>Appends a string and writes its slot; null leaves the slot zero.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="value">The string.</param>
    /// <exception cref="ArgumentException">It holds an unpaired surrogate, or does not fit.</exception>
    public void WriteString(int container, int offset, string? value)
    {
        if (value is null)
        {
            return;
        }

        if (value.Length <= WireFormat.MaxInlineBytes)
        {
            WriteShortString(container, offset, value);
            return;
        }

        // Nothing is used after a call, so the common path saves no registers.
        var position = _end;
        if (Utf8Text.TryWriteAscii(value, ref Unsafe.Add(ref _start, position), _length - position))
        {
            _end = position + value.Length;
            WriteSlot(container, offset, position, value.Length);
            return;
        }

        WriteLongString(container, offset, value);
    }

    /// <summary>Appends a binary and writes its slot.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="value">The bytes; the default span is null and leaves the slot zero, another empty one is an empty binary.</param>
    public void WriteBinary(int container, int offset, scoped ReadOnlySpan<byte> value)
    {
        if (value.Length <= WireFormat.MaxInlineBytes)
        {
            if (!SourceElements.IsNull(value))
            {
                WriteInline(container, offset, value);
            }

            return;
        }

        var position = _end;
        RequireRoom((long)position + value.Length);
        value.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, position), value.Length));
        _end = position + value.Length;
        WriteSlot(container, offset, position, value.Length);
    }

    /// <summary>Appends a list of fixed-size values and writes its slot.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="values">The values; the default span is null and leaves the slot zero, another empty one is an empty list.</param>
    /// <param name="padding">For structs with padding: pairs of offset and length of the padding within the struct, in bytes.</param>
    public void WriteValues<T>(int container, int offset, scoped ReadOnlySpan<T> values, scoped ReadOnlySpan<ushort> padding = default)
        where T : unmanaged
    {
        if (values.IsEmpty)
        {
            WriteNullOrEmpty(container, offset, values);
            return;
        }

        WriteSlot(container, offset, AppendValues(values, padding), values.Length);
    }

    /// <summary>Appends a list of fixed-size values that may be null and writes its slot.</summary>
    /// <inheritdoc cref="WriteValues{T}" path="/param"/>
    public void WriteNullables<T>(int container, int offset, scoped ReadOnlySpan<T?> values, scoped ReadOnlySpan<ushort> padding = default)
        where T : unmanaged
    {
        if (values.IsEmpty)
        {
            WriteNullOrEmpty(container, offset, values);
            return;
        }

        WriteSlot(container, offset, AppendNullables(values, padding), values.Length);
    }

    /// <summary>Appends a list of strings and writes its slot.</summary>
    /// <inheritdoc cref="WriteValues{T}" path="/param"/>
    public void WriteStrings(int container, int offset, scoped ReadOnlySpan<string?> values) =>
        WriteList<string?, SlotElements<string?, TextSlot>>(container, offset, values, depth: 0);

    /// <summary>Appends a list of elements of any kind and writes its slot.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="elements">The elements; the default span is null and leaves the slot zero, another empty one is an empty list.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteList<T, TElements>(int container, int offset, scoped ReadOnlySpan<T> elements, int depth)
        where TElements : IListElements<T>
    {
        if (elements.IsEmpty)
        {
            WriteNullOrEmpty(container, offset, elements);
            return;
        }

        WriteSlot(container, offset, TElements.Append(SourcePlaces.Of(elements), ref this, depth), elements.Length);
    }

    /// <summary>Appends a list whose elements need not be in one piece, and writes its slot; null leaves the slot zero.</summary>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="source">The list.</param>
    /// <param name="depth">How deep the message around the list is nested; the root is 1.</param>
    public void WriteSequence<T, TElements>(int container, int offset, IEnumerable<T>? source, int depth)
        where TElements : IListElements<T>
    {
        using var elements = SourceElements.OfSequence(source);
        WriteList<T, TElements>(container, offset, elements.Span, depth);
    }

    /// <summary>Appends fixed-size values, at least one.</summary>
    /// <returns>Their position.</returns>
    internal int AppendValues<T>(scoped ReadOnlySpan<T> values, scoped ReadOnlySpan<ushort> padding)
        where T : unmanaged
    {
        var bytes = (long)values.Length * Unsafe.SizeOf<T>();
        var position = Claim(bytes, WireValue.AlignmentOf<T>());
        if (WireValue.IsCopied<T>())
        {
            ref var start = ref Unsafe.Add(ref _start, position);
            if (padding.IsEmpty)
            {
                MemoryMarshal.AsBytes(values).CopyTo(MemoryMarshal.CreateSpan(ref start, (int)bytes));
            }
            else
            {
                StructPadding.Copy(values, ref start, padding);
            }
        }
        else
        {
            Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref _start, position), 0, (uint)bytes);
            for (var i = 0; i < values.Length; i++)
            {
                WriteElement(position + (i * Unsafe.SizeOf<T>()), values[i], padding);
            }
        }

        return position;
    }

    /// <summary>Appends fixed-size values that may be null, at least one.</summary>
    /// <returns>Their position.</returns>
    internal int AppendNullables<T>(scoped ReadOnlySpan<T?> values, scoped ReadOnlySpan<ushort> padding)
        where T : unmanaged
    {
        var valuesOffset = ListLayout.ValuesOffset(values.Length, WireValue.AlignmentOf<T>());
        var bytes = valuesOffset + ((long)values.Length * Unsafe.SizeOf<T>());
        var position = Claim(bytes, WireFormat.WordBytes);
        Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref _start, position), 0, (uint)bytes);
        for (var i = 0; i < values.Length; i++)
        {
            if (values[i] is { } value)
            {
                SetPresent(position, i);
                WriteElement(position + (int)valuesOffset + (i * Unsafe.SizeOf<T>()), value, padding);
            }
        }

        return position;
    }

    /// <summary>Claims and clears an array of slots, at least one; they are written next.</summary>
    /// <returns>Its position.</returns>
    internal int ClaimSlots(int count) => ClaimBlock((long)count * WireFormat.SlotBytes);

    /// <summary>Ends the message: pads it to a multiple of 8 and writes its size to the header.</summary>
    /// <returns>The size in bytes.</returns>
    internal int Finish()
    {
        var end = Claim(0, WireFormat.WordBytes);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _start, 4), end);
        return end;
    }

    private void WriteShortString(int container, int offset, string value)
    {
        if (Utf8Text.TryPackAscii(value, out var packed))
        {
            SlotAt(container, offset) = InlineSlot.Of(packed, value.Length);
            return;
        }

        WriteShortText(container, offset, value);
    }

    // Few characters can still be many bytes.
    private void WriteShortText(int container, int offset, scoped ReadOnlySpan<char> value)
    {
        Span<byte> bytes = stackalloc byte[WireFormat.MaxInlineBytes * Utf8Text.MaxBytesPerChar];
        WriteBinary(container, offset, bytes[..Convert(value, bytes)]);
    }

    private void WriteLongString(int container, int offset, string value)
    {
        var written = Utf8Text.Write(value.AsSpan(), MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, _end), _length - _end));
        if (written == Utf8Text.TooSmall)
        {
            Grow(_end + ((long)value.Length * Utf8Text.MaxBytesPerChar));
            written = Utf8Text.Write(value.AsSpan(), MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, _end), _length - _end));
        }

        if (written < 0)
        {
            Utf8Text.ThrowFailure(written, _length);
        }

        var position = _end;
        _end = position + written;
        WriteSlot(container, offset, position, written);
    }

    private readonly void WriteInline(int container, int offset, scoped ReadOnlySpan<byte> value) => SlotAt(container, offset) = InlineSlot.Of(value);

    private readonly void WriteElement<T>(int position, T value, scoped ReadOnlySpan<ushort> padding)
        where T : unmanaged
    {
        ref var destination = ref Unsafe.Add(ref _start, position);
        WireValue.Write(ref destination, value);
        StructPadding.Clear(ref destination, count: 1, Unsafe.SizeOf<T>(), padding);
    }

    private readonly void SetPresent(int bitmap, int index) =>
        Unsafe.Add(ref _start, bitmap + (index >> 3)) |= (byte)(1 << (index & 7));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly void WriteNullOrEmpty<T>(int container, int offset, scoped ReadOnlySpan<T> values)
    {
        if (!SourceElements.IsNull(values))
        {
            WriteEmpty(container, offset);
        }
    }

    private readonly void WriteEmpty(int container, int offset) => SlotAt(container, offset) = WireFormat.EmptySlot;

    private readonly void WriteSlot(int container, int offset, int payload, int count) =>
        SlotAt(container, offset) = ((ulong)(uint)(payload - container) << 32) | (uint)count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ref ulong SlotAt(int container, int offset)
    {
        var position = (ulong)(uint)container + (uint)offset;
        if (position + WireFormat.SlotBytes > (uint)_length)
        {
            WriteFailure.ThrowOutsideOfBlock();
        }

        return ref Unsafe.As<byte, ulong>(ref Unsafe.Add(ref _start, (nint)position));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void RequireRoom(long end)
    {
        if (end > _length)
        {
            Grow(end);
        }
    }

    // Only scratch memory grows. The writers of blocks are done before the payloads begin, so no reference into the old memory is left.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(long end)
    {
        var memory = MessageScratch.TryGrow(_root, ref _start, _end, end);
        if (memory.IsEmpty)
        {
            WriteFailure.ThrowTooSmall(_length);
        }

        _start = ref MemoryMarshal.GetReference(memory);
        _length = memory.Length;
    }

    // A block is at least a word, so a whole word can be zeroed at the old end, whatever the gap before the block:
    // the block comes over it. Counting the gap's bytes would cost a mispredicted branch per string.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ClaimBlock(long bytes)
    {
        Debug.Assert(bytes >= WireFormat.WordBytes, "A block is at least a word.");
        var gap = _end;
        var position = WireFormat.Align((long)gap, WireFormat.WordBytes);
        var end = position + bytes;
        if (end > _length)
        {
            return ClaimBlockInGrown(bytes);
        }

        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _start, gap), 0UL);
        Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref _start, (nint)position), 0, (uint)bytes);
        _end = (int)end;
        return (int)position;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ClaimBlockInGrown(long bytes)
    {
        Grow(WireFormat.Align((long)_end, WireFormat.WordBytes) + bytes);
        return ClaimBlock(bytes);
    }

    // Moves the end past a payload, and zeroes the gap before it.
    private int Claim(long bytes, int alignment)
    {
        Debug.Assert(bytes >= 0, "A payload has no negative length.");
        Debug.Assert(System.Numerics.BitOperations.IsPow2(alignment), "An alignment is a power of two.");
        var gap = _end;
        var position = WireFormat.Align((long)gap, alignment);
        RequireRoom(position + bytes);
        MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, gap), (int)position - gap).Clear();
        _end = (int)(position + bytes);
        return (int)position;
    }
}
