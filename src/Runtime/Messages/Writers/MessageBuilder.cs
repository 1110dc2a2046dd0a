using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A builder of one message in place, without an object, in memory of the caller. Declare it with <c>using</c>. Serves one thread. Allocates only for
/// the first builder of a thread, and for each one that is open at the same time as another.
/// </summary>
/// <typeparam name="TWriter">The generated writer type.</typeparam>
public readonly ref struct MessageBuilder<TWriter>
    where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
{
    private readonly MessageAppends? _appends;
    private readonly BlockBuilder _root;

    /// <summary>Begins a message.</summary>
    /// <param name="destination">The memory to write to; it need not be cleared. Nothing outside of it is written.</param>
    /// <exception cref="ArgumentException">The destination is smaller than <see cref="MinMessageBytes"/>.</exception>
    public MessageBuilder(Span<byte> destination)
    {
        _appends = MessageAppends.Rent();
        _root = BlockBuilder.OfNew(destination, TWriter.BlockBytes, _appends);
    }

    /// <summary>Gets the size in bytes of a message without any payload: its header and its members of fixed size.</summary>
    public static int MinMessageBytes => WireFormat.HeaderBytes + TWriter.BlockBytes;

    /// <summary>Gets the writer of the message. After the message is finished or abandoned, its members throw an <see cref="InvalidOperationException"/>.</summary>
    public TWriter Message => TWriter.Create(_root);

    /// <summary>Finishes the message. Its writers can no longer be used.</summary>
    /// <returns>The size of the message in bytes, a multiple of 8.</returns>
    /// <exception cref="InvalidOperationException">The message is already finished, or an append failed and left it unfinished.</exception>
    /// <exception cref="ArgumentException">The destination is too small to pad the message to a multiple of 8.</exception>
    public int Finish()
    {
        var appends = _appends ?? throw new InvalidOperationException("This is the default value, which began no message.");
        var bytes = _root.Finish();
        appends.Return();
        return bytes;
    }

    /// <summary>Abandons the message, unless it is finished. May be called more than once.</summary>
    public void Dispose()
    {
        if (_root.IsOpen)
        {
            _appends!.Return();
        }
    }
}
