namespace BufferedMessages;

/// <summary>
/// A type that messages of a queue can be read as: a generated view, <see cref="RawMessage"/> for its bytes, or <see cref="ValueMessage{T}"/> for an
/// unmanaged struct. No other type can implement it.
/// </summary>
/// <typeparam name="TSelf">The implementing type itself.</typeparam>
public interface IQueuePayload<TSelf>
    where TSelf : IQueuePayload<TSelf>, allows ref struct
{
    /// <summary>Gets the content that the queue must have; null for any.</summary>
    internal static abstract RecordContent? Expected { get; }

    /// <summary>Opens a record's payload, in place.</summary>
    internal static abstract TSelf Open(ReadOnlySpan<byte> payload);
}
