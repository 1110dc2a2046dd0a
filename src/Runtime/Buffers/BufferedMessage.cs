using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The operations on messages in memory: creating views of them, verifying, loading and showing them.</summary>
public static partial class BufferedMessage
{
    /// <summary>Creates a view that reads a message in place.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="message">The message, at any alignment; bytes after its end are ignored. The view is valid as long as these bytes are.</param>
    /// <exception cref="MalformedMessageException">The bytes do not start with the header of a whole message.</exception>
    public static TView Create<TView>(ReadOnlySpan<byte> message)
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Create(BlockReader.OfMessage(message));

    /// <summary>Opens a message to change its members of fixed size in place, including those of nested messages.</summary>
    /// <typeparam name="TWriter">The generated writer type.</typeparam>
    /// <param name="message">The message; bytes after its end are ignored. It must not be read at the same time, since values may be only partly changed.</param>
    /// <exception cref="MalformedMessageException">The bytes do not start with the header of a whole message.</exception>
    public static TWriter Edit<TWriter>(Span<byte> message)
        where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
        => TWriter.Create(BlockBuilder.OfExisting(message));
}
