using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>The storage of one value in a slot. Kinds are composed of structs that implement it. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISlot
{
    /// <summary>Adds the payload of a value that may be null.</summary>
    /// <param name="value">Where the value is.</param>
    /// <param name="size">The size to add to.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    static abstract void AddSize(scoped SourcePlace value, ref MessageSize size, int depth);

    /// <summary>Appends the payload and writes the slot; null leaves the slot zero.</summary>
    /// <param name="value">Where the value is.</param>
    /// <param name="writer">The writer of the message.</param>
    /// <param name="container">Position of the block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    /// <param name="depth">How deep the message around it is nested; the root is 1.</param>
    static abstract void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth);
}

/// <summary>The storage of one value of a type in a slot. For generated code.</summary>
/// <typeparam name="T">The C# type of the value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISlot<T> : ISlot
{
    /// <summary>Copies the value, or returns null.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="block">The block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it.</param>
    static abstract T Read(ref ObjectReader reader, BlockReader block, int offset);
}

/// <summary>A binary in a slot. For generated code.</summary>
/// <typeparam name="TBinary">The C# type of the binary.</typeparam>
/// <typeparam name="TShape">Turns it into bytes and back.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BinarySlot<TBinary, TShape> : ISlot<TBinary?>
    where TShape : IListShape<TBinary, byte>
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth) =>
        size.AddBinary(TShape.ElementsOf(value.Get<TBinary?>()).Span);

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteBinary(container, offset, TShape.ElementsOf(value.Get<TBinary?>()).Span);

    /// <inheritdoc/>
    public static TBinary? Read(ref ObjectReader reader, BlockReader block, int offset) => TShape.Make(reader.ReadBinary(block, offset));
}

/// <summary>The slot that holds a short string or binary itself.</summary>
internal static class InlineSlot
{
    /// <summary>The slot of at most 7 bytes that are packed in a word, the first one lowest.</summary>
    public static ulong Of(ulong bytes, int length) => WireFormat.EmptySlot | ((ulong)length << 56) | bytes;

    /// <summary>The slot of at most 7 bytes: the bytes from the lowest on, and 0x80 + their number as the highest.</summary>
    public static ulong Of(ReadOnlySpan<byte> value)
    {
        ref var start = ref MemoryMarshal.GetReference(value);
        var length = value.Length;
        var bytes = length switch
        {
            0 => 0UL,
            1 => start,

            // The last load overlaps the one before it, with the same bytes.
            2 or 3 => Unsafe.ReadUnaligned<ushort>(ref start) | ((ulong)Unsafe.Add(ref start, length - 1) << (8 * (length - 1))),
            _ => Unsafe.ReadUnaligned<uint>(ref start) | ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, length - 4)) << (8 * (length - 4))),
        };
        return Of(bytes, length);
    }
}

/// <summary>A string in a slot. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextSlot : ISlot<string?>
{
    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth) => size.AddString(value.Get<string?>());

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteString(container, offset, value.Get<string?>());

    /// <inheritdoc/>
    public static string? Read(ref ObjectReader reader, BlockReader block, int offset) => reader.ReadString(block, offset);
}
