using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A union in a slot. For generated code.</summary>
/// <typeparam name="TUnion">The union.</typeparam>
/// <typeparam name="TCases">Its cases.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UnionSlot<TUnion, TCases> : ISlot<TUnion?>
    where TCases : IUnionCases<TUnion>
{
    /// <inheritdoc/>
    /// <remarks>The gap before a block depends on the end of the payload before it.</remarks>
    public static bool AreOfOneSizeInAnyOrder => false;

    /// <inheritdoc/>
    public static void AddSize(TUnion? value, ref MessageSize size, int depth) => size.AddUnion<TUnion, TCases>(value, depth);

    /// <inheritdoc/>
    public static void Write(TUnion? value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteUnion<TUnion, TCases>(container, offset, value, depth);

    /// <inheritdoc/>
    public static TUnion? Read(ref ObjectReader reader, BlockReader block, int offset) => reader.ReadUnion<TUnion, TCases>(block, offset);
}
