using System.Runtime.CompilerServices;

namespace BufferedMessages.Queues;

/// <summary>The asynchronous reads of consumers and readers. Reading a message that is available at once does not allocate.</summary>
internal static class DeliveryReads
{
    /// <summary>Takes the next message. Every failure is reported by the task, whether the message is available at once or not.</summary>
    public static ValueTask<Delivery<TPayload>> ReadAsync<TPayload>(LogReader reader, CancellationToken cancellationToken)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<Delivery<TPayload>>(cancellationToken);
        }

        long number;
        try
        {
            number = reader.Read(TimeSpan.Zero, cancellationToken);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<Delivery<TPayload>>(exception);
        }

        return number == LogReader.NoDelivery
            ? AwaitAsync<TPayload>(reader, cancellationToken)
            : new ValueTask<Delivery<TPayload>>(new Delivery<TPayload>(reader, number));
    }

    /// <summary>Takes all messages; each is committed when the next one is requested.</summary>
    public static async IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync<TPayload>(LogReader reader, [EnumeratorCancellation] CancellationToken cancellationToken)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        var loop = reader.BeginLoop(cancellationToken, out var registration);
        try
        {
            while (true)
            {
                if (!reader.TryStep(loop))
                {
                    await reader.AwaitStepAsync(loop, cancellationToken).ConfigureAwait(false);
                }

                yield return new Delivery<TPayload>(reader, reader.Number);
            }
        }
        finally
        {
            await reader.EndLoopAsync(loop, registration).ConfigureAwait(false);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<Delivery<TPayload>> AwaitAsync<TPayload>(LogReader reader, CancellationToken cancellationToken)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        long number;
        do
        {
            await reader.WaitToReadAsync(Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false);
        }
        while ((number = reader.Read(TimeSpan.Zero, cancellationToken)) == LogReader.NoDelivery);

        return new Delivery<TPayload>(reader, number);
    }
}
