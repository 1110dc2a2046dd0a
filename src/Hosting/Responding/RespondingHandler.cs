namespace BufferedMessages.Hosting;

/// <summary>The handler that lets a responder answer, and sends the reply.</summary>
internal sealed class RespondingHandler<TView, TReply, TResponder>(TResponder responder, ReplyDesk<TReply> desk) : IMessageHandler<TView>
    where TView : IQueuePayload<TView>, allows ref struct
    where TReply : IBufferedMessageSource<TReply>
    where TResponder : class, IResponder<TView, TReply>
{
    public ValueTask HandleAsync(TView message, MessageContext context, CancellationToken cancellationToken)
    {
        if (RequestProperties.IsExpired(context.Properties))
        {
            desk.NoteExpired(context.QueueName);
            return ValueTask.CompletedTask;
        }

        var reply = responder.RespondAsync(message, context, cancellationToken);
        if (!reply.IsCompletedSuccessfully)
        {
            return SendAsync(reply, context);
        }

        desk.Send(reply.Result, context.QueueName, context.Properties);
        return ValueTask.CompletedTask;
    }

    private async ValueTask SendAsync(ValueTask<TReply> pending, MessageContext context)
    {
        var reply = await pending.ConfigureAwait(false);
        desk.Send(reply, context.QueueName, context.Properties);
    }
}
