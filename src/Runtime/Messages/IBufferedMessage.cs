using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A view that reads the members of a message in place. The generator makes one for every source type.
/// </summary>
/// <typeparam name="TSelf">The implementing view itself, a <c>readonly ref struct</c>.</typeparam>
public interface IBufferedMessage<TSelf> : IVerifiedBlock
    where TSelf : IBufferedMessage<TSelf>, allows ref struct
{
    /// <summary>The schema this view was generated for.</summary>
    static abstract MessageSchema Schema { get; }

    /// <summary>The block that the view reads. For the runtime.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    BlockReader Block { get; }

    /// <summary>Gives the message as JSON in one line, cut at 1000 characters. Allocates.</summary>
    string? ToString();

    /// <summary>Makes a view of a block. For generated code and the runtime; use <see cref="BufferedMessage.Create{TView}"/>.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Create(BlockReader block);
}
