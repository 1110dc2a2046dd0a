using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The writer of the elements of a list of strings in place, in order. Valid as long as the writer of the message is.</summary>
public readonly ref struct BufferedStringListWriter
{
    private readonly BlockBuilder _slots;

    internal BufferedStringListWriter(BlockBuilder slots, int count)
    {
        _slots = slots;
        Count = count;
    }

    /// <summary>Gets the number of elements.</summary>
    public int Count { get; }

    /// <summary>Writes an element; one that is not written is null.</summary>
    /// <param name="index">The index, greater than that of the last written element.</param>
    /// <param name="value">The text, or null.</param>
    /// <inheritdoc cref="Write(int, ReadOnlySpan{char})" path="/exception"/>
    [OverloadResolutionPriority(1)]
    public void Write(int index, string? value)
    {
        Require(index);
        _slots.WriteString(index * WireFormat.SlotBytes, value);
    }

    /// <summary>Writes an element; one that is not written is null.</summary>
    /// <param name="index">The index, greater than that of the last written element.</param>
    /// <param name="value">The text.</param>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    /// <exception cref="ArgumentException">The text holds an unpaired surrogate, or does not fit.</exception>
    /// <exception cref="InvalidOperationException">A later element, or a member after the list, has already been written.</exception>
    public void Write(int index, ReadOnlySpan<char> value)
    {
        Require(index);
        _slots.WriteText(index * WireFormat.SlotBytes, value);
    }

    /// <summary>Writes an element that is already UTF-8; one that is not written is null.</summary>
    /// <param name="index">The index, greater than that of the last written element.</param>
    /// <param name="utf8">The text.</param>
    /// <exception cref="ArgumentException">The bytes are not UTF-8, or do not fit.</exception>
    /// <inheritdoc cref="Write(int, ReadOnlySpan{char})" path="/exception[@cref='ArgumentOutOfRangeException' or @cref='InvalidOperationException']"/>
    public void Write(int index, ReadOnlySpan<byte> utf8)
    {
        Require(index);
        _slots.WriteUtf8(index * WireFormat.SlotBytes, utf8);
    }

    private void Require(int index)
    {
        if ((uint)index >= (uint)Count)
        {
            Malformed.ThrowIndex();
        }
    }
}
