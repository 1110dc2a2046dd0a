using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// Owns a message in a pooled buffer, so that it can be stored and carried over an <c>await</c>: what memory is to a span.
/// <see cref="Dispose"/> returns the buffer to its <see cref="BufferPool"/>; views and spans taken from it must not be used any more then. Memory throws.
/// </summary>
/// <typeparam name="TView">The view of the message.</typeparam>
/// <remarks>Reading is safe for all threads; the owner decides when it is disposed.</remarks>
public sealed class PooledBufferedMessage<TView> : IDisposable
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly PooledMemory _memory;

    internal PooledBufferedMessage(PooledMemory memory)
    {
        _memory = memory;
        try
        {
            BlockReader.OfMessage(memory.GetSpan());
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The view of the message; valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The message was disposed.</exception>
    public TView Message => BufferedMessage.Create<TView>(_memory.GetSpan());

    /// <summary>The bytes of the message; valid until <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The message was disposed.</exception>
    public ReadOnlyMemory<byte> Bytes => _memory.Memory;

    /// <summary>Returns the buffer to its pool. Safe to call more than once.</summary>
    public void Dispose() => ((IDisposable)_memory).Dispose();
}
