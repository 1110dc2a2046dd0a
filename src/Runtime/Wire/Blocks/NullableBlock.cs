using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The block of a struct that may be null. For generated code.</summary>
/// <typeparam name="TSource">The struct.</typeparam>
/// <typeparam name="TBlock">Its block.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct NullableBlock<TSource, TBlock> : IReadableBlock<TSource?>
    where TSource : struct
    where TBlock : IReadableBlock<TSource>
{
    /// <inheritdoc/>
    public static int Bytes => TBlock.Bytes;

    /// <inheritdoc/>
    public static void AddSize(scoped SourcePlace source, ref MessageSize size, int depth)
    {
        var value = source.Get<TSource?>().GetValueOrDefault();
        TBlock.AddSize(SourcePlace.Of(in value), ref size, depth);
    }

    /// <inheritdoc/>
    public static void Write(scoped SourcePlace source, ref MessageWriter writer, int block, int depth)
    {
        var value = source.Get<TSource?>().GetValueOrDefault();
        TBlock.Write(SourcePlace.Of(in value), ref writer, block, depth);
    }

    /// <inheritdoc/>
    public static TSource? Read(ref ObjectReader reader, BlockReader block) => TBlock.Read(ref reader, block);
}
