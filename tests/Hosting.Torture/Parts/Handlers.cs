namespace BufferedMessages.Hosting.Torture;

/// <summary>The handler of the group.</summary>
internal sealed class GroupHandler(HandlerWork work) : IMessageHandler<NumberedMessageBufferedMessage>
{
    public ValueTask HandleAsync(NumberedMessageBufferedMessage message, MessageContext context, CancellationToken cancellationToken) =>
        AsynchronousWork.HandleAsync(work, HandlerNames.Group, message, context);
}

/// <summary>The handler that has all messages in order.</summary>
internal sealed class OrderedHandler(HandlerWork work) : IMessageHandler<NumberedMessageBufferedMessage>
{
    public ValueTask HandleAsync(NumberedMessageBufferedMessage message, MessageContext context, CancellationToken cancellationToken) =>
        AsynchronousWork.HandleAsync(work, HandlerNames.Ordered, message, context);
}

/// <summary>The synchronous handler.</summary>
internal sealed class SynchronousHandler(HandlerWork work) : ISynchronousMessageHandler<NumberedMessageBufferedMessage>
{
    public void Handle(NumberedMessageBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
    {
        var attempt = work.Begin(HandlerNames.Synchronous, message.Number, message.Mischief, context);
        if (work.ReturnsFirst)
        {
            _ = Task.Run(() => work.End(attempt), CancellationToken.None);
            return;
        }

        if (attempt.Mischief != Mischief.None)
        {
            Thread.Sleep(1);
        }

        work.End(attempt);
    }
}

/// <summary>The work of the two asynchronous handlers.</summary>
internal static class AsynchronousWork
{
    public static ValueTask HandleAsync(HandlerWork work, int handler, NumberedMessageBufferedMessage message, MessageContext context)
    {
        var attempt = work.Begin(handler, message.Number, message.Mischief, context);
        if (work.ReturnsFirst)
        {
            _ = FinishAsync(work, attempt).AsTask();
            return ValueTask.CompletedTask;
        }

        if (attempt.Mischief != Mischief.None)
        {
            return FinishAsync(work, attempt);
        }

        work.End(attempt);
        return ValueTask.CompletedTask;
    }

    private static async ValueTask FinishAsync(HandlerWork work, HandlerWork.Attempt attempt)
    {
        await Task.Delay(1);
        work.End(attempt);
    }
}
