using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The root block of a message that is a union: it holds nothing but the union's slot. For generated code.</summary>
/// <typeparam name="TUnion">The union.</typeparam>
/// <typeparam name="TCases">Its cases.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UnionRoot<TUnion, TCases> : IMessageBlock<TUnion>
    where TCases : IUnionCases<TUnion>
{
    /// <inheritdoc/>
    public static int Bytes => WireFormat.SlotBytes;

    /// <inheritdoc/>
    public static void AddSize(TUnion source, ref MessageSize size, int depth) => TCases.AddSize(source, ref size, depth);

    /// <inheritdoc/>
    public static void Write(TUnion source, ref MessageWriter writer, int block, int depth) =>
        TCases.Write(source, ref writer, block, offset: 0, depth);
}
