using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Hosting;

/// <summary>
/// The message that a handler is handling. It may be copied and used across awaits until the handler is done with the message; after that, every member throws.
/// Only the handler's own flow may use it, not several threads at a time.
/// </summary>
public readonly struct MessageContext
{
    private readonly HandledMessage? _message;
    private readonly long _number;

    internal MessageContext(HandledMessage message, long number)
    {
        _message = message;
        _number = number;
    }

    /// <summary>Gets the message's position in the queue, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public long Position => Message.Position;

    /// <summary>Gets the id of the message, which no other message of any queue ever has. Store it with the effect of the message to recognize a redelivery.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public MessageId Id => Message.Id;

    /// <summary>Gets whether a worker that died or was stopped may have handled the message before, in part or as a whole, without committing it.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public bool IsRedelivery => Message.IsRedelivery;

    /// <summary>Gets the number of this attempt to handle the message, from 1. Attempts of workers that died with the message count.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public int Attempt => Message.Attempt;

    /// <summary>
    /// Gets whether this is the last attempt. If it fails, the message becomes a dead letter, or is lost if the handler keeps none. A handler can undo its work then. After a
    /// <see cref="MalformedMessageException"/>, no attempt follows in any case.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public bool IsLastAttempt => Message.IsLastAttempt;

    /// <summary>Gets the properties of the message, read in place. The compiler keeps them in the scope of the variable that holds the context; an await ends their use.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    /// <exception cref="QueueCorruptedException">The properties are damaged.</exception>
    [UnscopedRef]
    public DeliveryProperties Properties => Message.Properties;

    /// <summary>Gets the name of the queue among the services.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public string QueueName => Message.QueueName;

    /// <summary>Gets the name of the handler, which is also its consumer name in the queue.</summary>
    /// <exception cref="ObjectDisposedException">The handler is done with the message.</exception>
    public string HandlerName => Message.HandlerName;

    private HandledMessage Message
    {
        get
        {
            if (_message is null || _message.Number != _number)
            {
                ThrowDone();
            }

            return _message;
        }
    }

    [DoesNotReturn]
    private static void ThrowDone() => throw new ObjectDisposedException(
        nameof(MessageContext), "The handler is done with the message of this context. Read what you need before the handler returns, or before its task completes.");
}
