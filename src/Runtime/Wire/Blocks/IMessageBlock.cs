using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>
/// The places of a source's members in its block. Generated code implements it with a struct, and no method here names the source's type. So
/// the runtime compiles the calls of each block separately, even in code that it shares between all sources that are classes.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMessageBlock
{
    /// <summary>Gets the size of the block in bytes.</summary>
    static abstract int Bytes { get; }

    /// <summary>Adds the payloads of the members.</summary>
    /// <param name="source">Where the source is; it is never null.</param>
    /// <param name="size">The size to add to.</param>
    /// <param name="depth">How deep the message is nested; the root is 1.</param>
    static abstract void AddSize(scoped SourcePlace source, ref MessageSize size, int depth);

    /// <summary>Writes the members to a cleared block and appends their payloads.</summary>
    /// <param name="source">Where the source is; it is never null.</param>
    /// <param name="writer">The writer of the message.</param>
    /// <param name="block">Position of the block.</param>
    /// <param name="depth">How deep the message is nested; the root is 1.</param>
    static abstract void Write(scoped SourcePlace source, ref MessageWriter writer, int block, int depth);
}

/// <summary>The block of a source. For generated code.</summary>
/// <typeparam name="TSource">The source; a type that derives from it has another block.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMessageBlock<TSource> : IMessageBlock;

/// <summary>A block from whose members an object can be made. For generated code.</summary>
/// <typeparam name="TSource">The source.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IReadableBlock<TSource> : IMessageBlock<TSource>
{
    /// <summary>Creates an object from the members.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="block">The block; never the one of a null message.</param>
    static abstract TSource Read(ref ObjectReader reader, BlockReader block);
}
