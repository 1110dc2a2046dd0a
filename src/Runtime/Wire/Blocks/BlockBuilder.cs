using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The builder of one block in place: sets its members and appends the payloads of the others, or changes the members of fixed size of a message
/// that exists. Nothing outside of the message is ever read or written. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct BlockBuilder
{
    private readonly Span<byte> _message;
    private readonly MessageAppends? _appends;
    private readonly int _version;

    // The list that the block is an element of, or the block.
    private readonly int _container;
    private readonly int _block;
    private readonly int _blockBytes;
    private readonly int _depth;
    private readonly int _level;

    private BlockBuilder(Span<byte> message, MessageAppends? appends, int version, int container, int block, int blockBytes, int depth, int level)
    {
        _message = message;
        _appends = appends;
        _version = version;
        _container = container;
        _block = block;
        _blockBytes = blockBytes;
        _depth = depth;
        _level = level;
    }

    /// <summary>Gets whether this is the block of a message that is null.</summary>
    public bool IsNull => _message.IsEmpty;

    /// <summary>Whether the message is being written.</summary>
    internal bool IsOpen => _appends is not null && _appends.Version == _version;

    /// <summary>Bytes from the start of this block to the end of the message, or of the memory that it is written to.</summary>
    internal int RegionBytes => _message.Length - _block;

    private BlockReader Reader => new(ref Unsafe.Add(ref MemoryMarshal.GetReference(_message), _block), _blockBytes, _message.Length - _block);

    private BlockWriter Writer => new(ref Unsafe.Add(ref MemoryMarshal.GetReference(_message), _block), _blockBytes);

    /// <summary>Begins a message.</summary>
    /// <param name="destination">The memory to write to; it needs no clearing.</param>
    /// <param name="blockBytes">Size of the root block.</param>
    /// <param name="appends">Gets the state of the message.</param>
    internal static BlockBuilder OfNew(Span<byte> destination, int blockBytes, MessageAppends appends)
    {
        var writer = new MessageWriter(destination, blockBytes);
        appends.Begin(writer.End);
        return new BlockBuilder(destination, appends, appends.Version, WireFormat.HeaderBytes, WireFormat.HeaderBytes, blockBytes, depth: 1, level: 0);
    }

    /// <summary>Opens a message that exists.</summary>
    internal static BlockBuilder OfExisting(Span<byte> message)
    {
        var root = BlockReader.OfMessage(message);
        return new BlockBuilder(
            message[..(WireFormat.HeaderBytes + root.RegionBytes)], appends: null, version: 0, WireFormat.HeaderBytes, WireFormat.HeaderBytes, root.BlockBytes, depth: 1, level: 0);
    }

    /// <summary>Reads a fixed-size value.</summary>
    public T Read<T>(int offset)
        where T : unmanaged
    {
        RequireOpen();
        return Reader.Read<T>(offset);
    }

    /// <summary>Reads a fixed-size value that may be null.</summary>
    public T? ReadNullable<T>(int offset, int presenceBit)
        where T : unmanaged
    {
        RequireOpen();
        return Reader.ReadNullable<T>(offset, presenceBit);
    }

    /// <summary>Writes a fixed-size value.</summary>
    /// <param name="offset">Offset of the value in the block.</param>
    /// <param name="value">The value.</param>
    /// <param name="padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
    /// <exception cref="InvalidOperationException">The message is finished, or its writer did not know the member.</exception>
    public void Write<T>(int offset, T value, ReadOnlySpan<ushort> padding = default)
        where T : unmanaged
    {
        RequireMember(offset + Unsafe.SizeOf<T>());
        Writer.Write(offset, value);
        StructPadding.Clear(ref _message[_block + offset], count: 1, Unsafe.SizeOf<T>(), padding);
    }

    /// <summary>Writes a fixed-size value that may be null.</summary>
    /// <param name="offset">Offset of the value in the block.</param>
    /// <param name="presenceBit">Number of its presence bit, counted from the first bit of the block.</param>
    /// <param name="value">The value, or null.</param>
    /// <param name="padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
    /// <exception cref="InvalidOperationException">The message is finished, or its writer did not know the member.</exception>
    public void WriteNullable<T>(int offset, int presenceBit, T? value, ReadOnlySpan<ushort> padding = default)
        where T : unmanaged
    {
        RequireMember(Math.Max(offset + Unsafe.SizeOf<T>(), (presenceBit >> 3) + 1));
        if (value is null)
        {
            _message.Slice(_block + offset, Unsafe.SizeOf<T>()).Clear();
            _message[_block + (presenceBit >> 3)] &= (byte)~(1 << (presenceBit & 7));
        }

        Writer.WriteNullable(offset, presenceBit, value, padding);
    }

    /// <summary>Appends a string; null leaves it null.</summary>
    /// <exception cref="ArgumentException">It holds an unpaired surrogate, or does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public void WriteString(int offset, string? value, [CallerMemberName] string member = "")
    {
        var writer = BeginAppend(offset, member);
        writer.WriteString(_block, offset, value);
        EndAppend(writer);
    }

    /// <summary>Appends a string; an empty span is an empty string.</summary>
    /// <exception cref="ArgumentException">It holds an unpaired surrogate, or does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public void WriteText(int offset, scoped ReadOnlySpan<char> value, [CallerMemberName] string member = "")
    {
        var writer = BeginAppend(offset, member);
        writer.WriteText(_block, offset, value);
        EndAppend(writer);
    }

    /// <summary>Appends a string that is UTF-8 already; an empty span is an empty string.</summary>
    /// <exception cref="ArgumentException">It is not UTF-8, or does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public void WriteUtf8(int offset, scoped ReadOnlySpan<byte> value, [CallerMemberName] string member = "")
    {
        var writer = BeginAppend(offset, member);
        writer.WriteUtf8(_block, offset, value);
        EndAppend(writer);
    }

    /// <summary>Appends a binary.</summary>
    /// <returns>Its bytes; they are not cleared.</returns>
    /// <exception cref="ArgumentException">It does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public Span<byte> WriteBinary(int offset, int length, [CallerMemberName] string member = "")
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        var writer = BeginAppend(offset, member);
        var position = writer.AppendBinary(_block, offset, length);
        EndAppend(writer);
        return _message.Slice(position, length);
    }

    /// <summary>Appends a list of fixed-size values of which every bit pattern is valid.</summary>
    /// <returns>The values; they are not cleared.</returns>
    /// <exception cref="ArgumentException">It does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public Span<T> WriteValues<T>(int offset, int count, [CallerMemberName] string member = "")
        where T : unmanaged
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        var writer = BeginAppend(offset, member);
        var position = writer.AppendValues<T>(_block, offset, count);
        EndAppend(writer);
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref MemoryMarshal.GetReference(_message[position..])), count);
    }

    /// <summary>Begins to append a payload that the writer of objects writes.</summary>
    /// <param name="offset">Offset of its slot in the block.</param>
    /// <param name="block">Position of the block.</param>
    /// <param name="depth">How deep the block's message is nested.</param>
    /// <param name="member">The member that appends.</param>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public MessageWriter BeginAppend(int offset, out int block, out int depth, [CallerMemberName] string member = "")
    {
        block = _block;
        depth = _depth;
        return BeginAppend(offset, member);
    }

    /// <summary>Ends the append: the payload is whole.</summary>
    public void EndAppend(MessageWriter writer) => _appends!.EndAppend(writer.End);

    /// <summary>Appends the slots of a list.</summary>
    /// <returns>The slots, as a block of slots only.</returns>
    internal BlockBuilder AppendSlots(int offset, int count, string member)
    {
        Debug.Assert(offset >= 0, "A slot has an offset in its block.");
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        var writer = BeginAppend(offset, member);
        var slots = writer.AppendSlots(_block, offset, count);
        EndAppend(writer);
        _appends!.Open(_level + 1, slots);
        return new BlockBuilder(_message, _appends, _version, slots, slots, count * WireFormat.SlotBytes, _depth, _level + 1);
    }

    /// <summary>Appends the block of a nested message.</summary>
    internal void AppendBlock(int offset, int blockBytes, string member)
    {
        DepthLimit.Check(_depth + 1);
        var writer = BeginAppend(offset, member);
        var block = writer.AppendBlock(_block, offset, blockBytes);
        EndAppend(writer);
        _appends!.Open(_level + 1, block);
    }

    /// <summary>Appends the blocks of a list of messages; none is null.</summary>
    internal void AppendBlocks(int offset, int count, int blockBytes, string member)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        DepthLimit.Check(_depth + 1);
        var writer = BeginAppend(offset, member);
        var list = writer.AppendBlocks(_block, offset, count, blockBytes);
        EndAppend(writer);
        _appends!.Open(_level + 1, list);
    }

    /// <summary>A nested message; the default block if it is null.</summary>
    internal BlockBuilder NestedOf(int offset)
    {
        RequireOpen();
        var nested = Reader.ReadMessage(offset);
        return nested.IsNull ? default : Nested(nested, _message.Length - nested.RegionBytes);
    }

    /// <summary>Ends the message.</summary>
    /// <returns>Its size in bytes.</returns>
    internal int Finish()
    {
        RequireOpen();
        _appends!.RequireWhole();
        var writer = new MessageWriter(_message, _appends);
        return writer.Finish();
    }

    /// <summary>The elements of a list of messages.</summary>
    internal MessageBlocks BlocksOf(int offset)
    {
        RequireOpen();
        return Reader.ReadPlace(offset).Messages();
    }

    /// <summary>An element of a list of messages.</summary>
    internal BlockBuilder ElementOf(MessageBlocks list, int index)
    {
        RequireOpen();
        var element = list.At(index);
        return element.IsNull ? default : Nested(element, _message.Length - list.RemainingBytes);
    }

    private BlockBuilder Nested(BlockReader block, int container) =>
        new(_message, _appends, _version, container, _message.Length - block.RegionBytes, block.BlockBytes, _depth + 1, _level + 1);

    private MessageWriter BeginAppend(int offset, string member)
    {
        RequireMember(offset + WireFormat.SlotBytes);
        if (_appends is null)
        {
            throw new InvalidOperationException(
                $"{member} appends to a message, but this one is finished: only its members of fixed size can be changed in place. Write a new message.");
        }

        _appends.BeginAppend(_level, _container, _block + offset, member);
        return new MessageWriter(_message, _appends);
    }

    private void RequireMember(int end)
    {
        RequireOpen();
        if (end > _blockBytes)
        {
            ThrowNoMember();
        }
    }

    private void RequireOpen()
    {
        if (_appends is not null && !IsOpen)
        {
            ThrowFinished();
        }
    }

    [DoesNotReturn]
    private void ThrowNoMember() => throw new InvalidOperationException(
        IsNull
            ? "The message is null. Check IsNull first."
            : "The message has no room for this member: an older version of its type wrote it. Write a new message.");

    [DoesNotReturn]
    private static void ThrowFinished() =>
        throw new InvalidOperationException("The message is finished or given up: its writer cannot be used any more.");
}
