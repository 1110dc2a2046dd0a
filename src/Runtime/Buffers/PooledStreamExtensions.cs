using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>Messages in pooled streams.</summary>
public static class PooledStreamExtensions
{
    /// <summary>Reads the message at the position in place, and moves the position behind it.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="stream">The stream. What <see cref="BufferedMessageSourceExtensions.WriteTo{TSource}(TSource, PooledStream)"/> wrote at its end is in one piece;
    /// when a message is in several, as after writes of its parts, the whole stream is made contiguous first, which copies it once.</param>
    /// <returns>The view; valid until the stream is written to, disposed, or asked for its content in one piece.</returns>
    /// <exception cref="MalformedMessageException">There is no whole message at the position; the position stays.</exception>
    public static TView ReadMessage<TView>(this PooledStream stream)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stream);
        var rest = Math.Max(0, stream.Length - stream.Position);
        if (rest < WireFormat.HeaderBytes)
        {
            Malformed.ThrowHeader(WireRule.TooShort, (int)rest);
        }

        var bytes = MessageHeader.TotalBytesOf(stream.Peek(stackalloc byte[WireFormat.HeaderBytes]));
        if (rest < bytes)
        {
            Malformed.ThrowHeader($"its header says {bytes} bytes, but the stream ends after {rest}", (int)rest);
        }

        var view = BufferedMessage.Create<TView>(stream.PeekContiguous(bytes));
        stream.Position += bytes;
        return view;
    }

    /// <summary>Takes the content, which is one message, out of the stream. The stream is empty then.</summary>
    /// <typeparam name="TView">The generated view type.</typeparam>
    /// <param name="stream">The stream. Content in several blocks is copied into one first.</param>
    /// <returns>The message, in the buffer that was the stream's; dispose it to return the buffer.</returns>
    /// <exception cref="MalformedMessageException">The content does not start with a whole message; the stream keeps it.</exception>
    public static PooledBufferedMessage<TView> DetachMessage<TView>(this PooledStream stream)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        ArgumentNullException.ThrowIfNull(stream);
        BlockReader.OfMessage(stream.GetContiguousMemory().Span);
        return new PooledBufferedMessage<TView>(stream.DetachPooledMemory());
    }
}
