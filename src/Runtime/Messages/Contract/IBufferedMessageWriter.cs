using System.ComponentModel;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A writer of a message in place, without an object: members of fixed size are set, the others are appended. The generator creates one for every
/// source type whose attribute sets <see cref="BufferedMessageSourceAttribute.GenerateWriter"/>.
/// </summary>
/// <typeparam name="TSelf">The implementing writer itself, a <c>readonly ref struct</c>.</typeparam>
public interface IBufferedMessageWriter<TSelf>
    where TSelf : IBufferedMessageWriter<TSelf>, allows ref struct
{
    /// <summary>Gets the number of bytes that the members of fixed size and the slots of the others take.</summary>
    static abstract int BlockBytes { get; }

    /// <summary>Creates the writer of a block. For generated code and the runtime; use <see cref="MessageBuilder{TWriter}"/>.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static abstract TSelf Create(BlockBuilder block);
}
