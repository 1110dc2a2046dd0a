using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// Owns a message in a pooled buffer, so that it can be stored and carried over an <c>await</c>: what memory is to a span.
/// <see cref="Dispose"/> returns the buffer; views and spans taken from it must not be used any more then.
/// </summary>
/// <typeparam name="TView">The view of the message.</typeparam>
/// <remarks>Reading is safe for all threads; the owner decides when it is disposed.</remarks>
public sealed class PooledBufferedMessage<TView> : IDisposable
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly RentedMessage _rented;

    internal PooledBufferedMessage(RentedMessage rented)
    {
        _rented = rented;
        try
        {
            BlockReader.OfMessage(rented.Memory.Span);
        }
        catch
        {
            rented.Dispose();
            throw;
        }
    }

    /// <summary>The view of the message; valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The message was disposed.</exception>
    public TView Message => BufferedMessage.Create<TView>(Bytes.Span);

    /// <summary>The bytes of the message; valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The message was disposed.</exception>
    public ReadOnlyMemory<byte> Bytes => _rented.Memory;

    /// <summary>Returns the buffer to its pool. Safe to call more than once.</summary>
    public void Dispose() => _rented.Dispose();
}
