using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>Reserved room in the queue for one message that is written in place, without an object. Commit the claim to publish the message. Declare it with <c>using</c>.</summary>
/// <typeparam name="TWriter">The generated writer type.</typeparam>
public readonly ref struct MessageClaim<TWriter>
    where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
{
    private readonly MessageClaim _claim;
    private readonly MessageBuilder<TWriter> _builder;

    internal MessageClaim(LogWriter writer, int maxBytes, TimeSpan timeout, MessageProperties? properties, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxBytes, MessageBuilder<TWriter>.MinMessageBytes);
        _claim = new MessageClaim(writer, check: null, maxBytes, timeout, properties, cancellationToken);
        _builder = _claim.IsOpen ? new MessageBuilder<TWriter>(_claim.Bytes) : default;
    }

    /// <summary>
    /// Gets the writer of the message. The compiler prevents it from outliving the claim's variable. After the claim is committed or disposed, its members throw an
    /// <see cref="InvalidOperationException"/>.
    /// </summary>
    [UnscopedRef]
    public TWriter Message => _builder.Message;

    internal bool IsOpen => _claim.IsOpen;

    /// <summary>Publishes the message.</summary>
    /// <returns>Its position in the queue.</returns>
    /// <exception cref="InvalidOperationException">An append failed and left the message unfinished, or the claim is closed.</exception>
    /// <exception cref="ArgumentException">The claim has no room to pad the message to a multiple of 8 bytes. It stays open.</exception>
    /// <exception cref="FlushFailedException">The message is published, but the disk failed to store it.</exception>
    public long Commit() => _claim.Commit(_builder.Finish());

    /// <summary>Closes the claim. If it was not committed, its bytes become padding that consumers skip.</summary>
    public void Dispose()
    {
        _builder.Dispose();
        _claim.Dispose();
    }
}
