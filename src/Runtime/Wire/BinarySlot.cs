using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A binary behind a slot. For generated code.</summary>
/// <typeparam name="TBinary">The C# type of the binary.</typeparam>
/// <typeparam name="TShape">Turns it into bytes and back.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BinarySlot<TBinary, TShape> : ISlot<TBinary?>
    where TShape : IListShape<TBinary, byte>
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => true;

    /// <inheritdoc/>
    public static void AddSize(TBinary? value, ref MessageSize size, int depth) => size.AddBinary(TShape.ElementsOf(value).Span);

    /// <inheritdoc/>
    public static void Write(TBinary? value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteBinary(container, offset, TShape.ElementsOf(value).Span);

    /// <inheritdoc/>
    public static TBinary? Read(ref ObjectReader reader, BlockReader block, int offset) => TShape.Make(reader.ReadBinary(block, offset));
}
