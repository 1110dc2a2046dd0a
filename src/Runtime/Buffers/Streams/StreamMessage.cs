using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A message that is read in place in a <see cref="PooledStream"/>. It can be stored, and held across an <c>await</c>, since each use is checked: once the stream
/// was written to or disposed, or moved or gave away its content, each use throws.
/// </summary>
/// <typeparam name="TView">The view of the message.</typeparam>
/// <remarks>For one thread at a time, like the stream.</remarks>
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

    /// <summary>Gets the view of the message; valid until the stream changes. The compiler prevents it from outliving the variable that it was taken from.</summary>
    /// <inheritdoc cref="Bytes" path="/exception"/>
    [UnscopedRef]
    public TView Message => TView.Create(BlockReader.OfMessage(Bytes));

    /// <summary>Gets the bytes of the message; valid as long as <see cref="Message"/>.</summary>
    /// <exception cref="InvalidOperationException">The stream has since been written to, or has given away or moved its content. Read the message again.</exception>
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

    /// <summary>Returns the message as JSON in one line, truncated to 1000 characters. Allocates.</summary>
    /// <inheritdoc cref="Bytes" path="/exception"/>
    public override string? ToString() => Message.ToString();
}
