using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A message that is read in place in a <see cref="PooledStream"/>. It can be stored and carried over an <c>await</c>, since each use is checked: after the stream
/// was written to, was disposed, or moved or gave away its content, each use throws.
/// </summary>
/// <typeparam name="TView">The view of the message.</typeparam>
/// <remarks>For one thread at a time, as the stream is.</remarks>
public readonly struct StreamMessage<TView>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly PooledStream? _stream;
    private readonly ArraySegment<byte> _bytes;
    private readonly long _version;

    internal StreamMessage(PooledStream stream, ArraySegment<byte> bytes, long version)
    {
        _stream = stream;
        _bytes = bytes;
        _version = version;
    }

    /// <summary>Gets the view of the message; valid until the stream changes. The compiler keeps it in the scope of the variable that it was taken from.</summary>
    /// <inheritdoc cref="Bytes" path="/exception"/>
    [UnscopedRef]
    public TView Message => TView.Create(BlockReader.OfMessage(Bytes));

    /// <summary>Gets the bytes of the message; valid as <see cref="Message"/> is.</summary>
    /// <exception cref="InvalidOperationException">The stream was written to since, or gave its content away, or moved it. Read the message again.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed, or this is the default value.</exception>
    [UnscopedRef]
    public ReadOnlySpan<byte> Bytes
    {
        get
        {
            if (_stream is null || _stream.Version != _version)
            {
                PooledStream.ThrowChanged(_stream);
            }

            return _bytes;
        }
    }

    /// <summary>Gives the message as JSON in one line, truncated to 1000 characters. Allocates.</summary>
    /// <inheritdoc cref="Bytes" path="/exception"/>
    public override string? ToString() => Message.ToString();
}
