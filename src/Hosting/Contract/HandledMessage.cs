namespace BufferedMessages.Hosting;

/// <summary>The message that a worker has in hand, as the context shows it.</summary>
internal abstract class HandledMessage
{
    /// <summary>The number of the attempt that is open; each beginning and each end counts one.</summary>
    public long Number { get; protected set; }

    public int Attempt { get; protected set; }

    public abstract string QueueName { get; }

    public abstract string HandlerName { get; }

    public abstract long Position { get; }

    public abstract MessageId Id { get; }

    public abstract bool IsLastAttempt { get; }

    public abstract bool IsRedelivery { get; }

    public abstract DeliveryProperties Properties { get; }
}
