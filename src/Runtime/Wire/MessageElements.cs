using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A list of messages. For generated code.</summary>
/// <typeparam name="TSource">The source.</typeparam>
/// <typeparam name="TBlock">Its block.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct MessageElements<TSource, TBlock> : IListElements<TSource>
    where TBlock : IReadableBlock<TSource>
{
    /// <inheritdoc/>
    public static bool AreOfOneSizeInAnyOrder => false;

    /// <inheritdoc/>
    public static void AddSize(scoped ReadOnlySpan<TSource> elements, ref MessageSize size, int depth) => size.AddMessages<TSource, TBlock>(elements, depth);

    /// <inheritdoc/>
    public static int Append(scoped ReadOnlySpan<TSource> elements, ref MessageWriter writer, int depth) =>
        writer.AppendMessages<TSource, TBlock>(elements, depth);

    /// <inheritdoc/>
    public static TSource[] Read(ref ObjectReader reader, ListPlace place) => reader.CopyMessages<TSource, TBlock>(place);
}
