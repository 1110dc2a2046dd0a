using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>A block of whose members an object can be made. For generated code.</summary>
/// <typeparam name="TSource">The source.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IReadableBlock<TSource> : IMessageBlock<TSource>
{
    /// <summary>Makes an object of the members.</summary>
    /// <param name="reader">The walk over the message.</param>
    /// <param name="block">The block; never the one of a null message.</param>
    static abstract TSource Read(ref ObjectReader reader, BlockReader block);
}
