using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A view that reads a message in place. The generator creates one for every source type and every union.
/// </summary>
/// <typeparam name="TSelf">The implementing view itself, a <c>readonly ref struct</c>.</typeparam>
public interface IBufferedMessage<TSelf> : IQueuePayload<TSelf>, IVerifiedBlock
    where TSelf : IBufferedMessage<TSelf>, allows ref struct
{
    /// <summary>Gets the schema this view was generated for.</summary>
    static abstract MessageSchema Schema { get; }

    /// <summary>Gets the block that the view reads, and for a union the number of its case. Used by the runtime.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    CaseReader Content { get; }

    /// <summary>Returns the message as JSON in one line, truncated to 1000 characters. Allocates.</summary>
    string? ToString();

    /// <summary>Creates a view of a block. For generated code and the runtime; use <see cref="BufferedMessage.Create{TView}"/>.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Create(BlockReader block);

    static RecordContent? IQueuePayload<TSelf>.Expected => RecordContent.Messages(TSelf.Schema);

    static TSelf IQueuePayload<TSelf>.Open(ReadOnlySpan<byte> payload) => TSelf.Create(BlockReader.OfMessage(payload));
}
