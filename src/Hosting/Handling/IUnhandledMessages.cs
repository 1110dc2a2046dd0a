namespace BufferedMessages.Hosting;

/// <summary>A place of the messages that a handler could not handle, before the dead letters. Serves all workers of the handler.</summary>
internal interface IUnhandledMessages
{
    /// <summary>Takes a message. Never throws.</summary>
    /// <param name="message">The message, whose properties can be read.</param>
    /// <param name="failure">The last failure; null if its process died in each attempt.</param>
    /// <param name="reason">Why it could not be handled.</param>
    /// <returns>False if the message is to become a dead letter.</returns>
    bool TrySettle(HandledMessage message, Exception? failure, string reason);
}
