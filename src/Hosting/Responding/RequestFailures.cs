using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>
/// The requests that a responder could not answer: their clients are notified. A request becomes a dead letter as well if it is malformed or its process died in each attempt, or if its client cannot be notified.
/// </summary>
internal sealed class RequestFailures<TReply>(ReplyDesk<TReply> desk, ILogger logger) : IUnhandledMessages
    where TReply : IBufferedMessageSource<TReply>
{
    public bool TrySettle(HandledMessage message, Exception? failure, string reason)
    {
        if (!TryTell(message, failure, reason))
        {
            return false;
        }

        logger.RequestFailed(failure, message.QueueName, message.HandlerName, message.Position);
        return failure is not (null or MalformedMessageException);
    }

    private bool TryTell(HandledMessage message, Exception? failure, string reason)
    {
        try
        {
            return desk.TryRefuse(message.QueueName, message.Properties, UnreadableFailureException.ErrorTypeOf(failure), reason);
        }
        catch (Exception exception)
        {
            // The address of the client is damaged, or its reply queue takes no producer.
            logger.ClientNotTold(exception, message.QueueName, message.HandlerName, message.Position);
            return false;
        }
    }
}
