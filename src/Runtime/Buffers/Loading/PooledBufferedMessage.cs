using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// The owner of a message in a pooled buffer, which can be stored and held across an <c>await</c>: it is to a view as memory is to a span.
/// <see cref="Dispose"/> returns the buffer to its <see cref="BufferPool"/>. Copies of this struct own the same message: disposing one disposes all.
/// </summary>
/// <typeparam name="TView">The view of the message.</typeparam>
/// <remarks>Reading is thread-safe. The owner decides when the message is disposed.</remarks>
public readonly struct PooledBufferedMessage<TView> : IDisposable
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly PooledMemory? _memory;

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

    /// <summary>Gets the view of the message; valid until <see cref="Dispose"/>. The compiler prevents it from outliving the variable that it was taken from.</summary>
    /// <exception cref="ObjectDisposedException">The message was disposed, or this is the default value.</exception>
    [UnscopedRef]
    public TView Message => TView.Create(BlockReader.OfMessage(Memory.GetSpan()));

    /// <summary>Gets the bytes of the message, for code that awaits. After <see cref="Dispose"/>, the memory throws; the compiler does not check spans taken from it.</summary>
    /// <exception cref="ObjectDisposedException">The message was disposed, or this is the default value.</exception>
    public ReadOnlyMemory<byte> Bytes => Memory.Memory;

    private PooledMemory Memory => _memory ?? throw new ObjectDisposedException(nameof(PooledBufferedMessage<>), "This is the default value, which owns no message.");

    /// <summary>Returns the message as JSON in one line, truncated to 1000 characters. Allocates.</summary>
    /// <inheritdoc cref="Message" path="/exception"/>
    public override string? ToString() => Message.ToString();

    /// <summary>Returns the buffer to its pool. May be called more than once, from any copy.</summary>
    public void Dispose() => ((IDisposable?)_memory)?.Dispose();
}
