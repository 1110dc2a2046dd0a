using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>A union in a slot. For generated code.</summary>
/// <typeparam name="TUnion">The union.</typeparam>
/// <typeparam name="TCases">Its cases.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UnionSlot<TUnion, TCases> : ISlot<TUnion?>
    where TCases : IUnionCases<TUnion>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void AddSize(scoped SourcePlace value, ref MessageSize size, int depth) => size.AddUnion<TUnion, TCases>(value.Get<TUnion?>(), depth);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(scoped SourcePlace value, ref MessageWriter writer, int container, int offset, int depth) =>
        writer.WriteUnion<TUnion, TCases>(container, offset, value.Get<TUnion?>(), depth);

    /// <inheritdoc/>
    public static TUnion? Read(ref ObjectReader reader, BlockReader block, int offset) => reader.ReadUnion<TUnion, TCases>(block, offset);
}
