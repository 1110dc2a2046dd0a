using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A publisher of messages that all threads can share. It has a producer for each thread that publishes at the same time, and opens producers as needed:
/// one in a queue for one producer, otherwise at most one for each processor, and fewer if the queue has no room for more participants. The messages of one thread keep their order.
/// While other threads use all producers, a publish waits for one; the timeout covers this wait and the wait for room together. A publish within another one, by its object or by a
/// listener to events, may therefore wait forever. Publishing does not allocate, except in an asynchronous wait.
/// </summary>
/// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
public sealed class MessagePublisher<TSource> : IDisposable
    where TSource : IBufferedMessageSource<TSource>
{
    private readonly ProducerPool<TSource> _producers;

    internal MessagePublisher(MessageQueue queue, ProducerOptions? options) => _producers = new ProducerPool<TSource>(queue, options);

    /// <summary>Publishes a message. Waits for room if the queue is full.</summary>
    /// <inheritdoc cref="MessageProducer{TSource}.Publish(TSource, CancellationToken)"/>
    public long Publish(TSource source, CancellationToken cancellationToken = default) =>
        Publish(source, properties: null, cancellationToken);

    /// <summary>Publishes a message with properties. Waits for room if the queue is full.</summary>
    /// <inheritdoc cref="MessageProducer{TSource}.Publish(TSource, CancellationToken)"/>
    public long Publish(TSource source, MessageProperties? properties, CancellationToken cancellationToken = default)
    {
        TryPublish(source, out var position, Timeout.InfiniteTimeSpan, properties, cancellationToken);
        return position;
    }

    /// <summary>Publishes a message if a producer and room for it are available, or become available within the timeout.</summary>
    /// <returns>False if all producers stayed in use, or the queue stayed full. Nothing was published.</returns>
    /// <inheritdoc cref="MessageProducer{TSource}.TryPublish"/>
    public bool TryPublish(TSource source, out long position, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var (producer, rest) = _producers.Rent(timeout, cancellationToken);
        if (producer is null)
        {
            position = 0;
            return false;
        }

        try
        {
            return producer.TryPublish(source, out position, rest, properties, cancellationToken);
        }
        finally
        {
            _producers.Return(producer);
        }
    }

    /// <summary>Publishes a message, waiting for a producer and for room without blocking a thread.</summary>
    /// <exception cref="TimeoutException">All producers stayed in use, or the queue stayed full. Nothing was published.</exception>
    /// <inheritdoc cref="MessageProducer{TSource}.PublishAsync(TSource, TimeSpan, MessageProperties, CancellationToken)"/>
    public async ValueTask<long> PublishAsync(TSource source, TimeSpan timeout, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var (producer, rest) = await _producers.RentAsync(timeout, cancellationToken).ConfigureAwait(false);
        try
        {
            return await producer.PublishAsync(source, rest, properties, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _producers.Return(producer);
        }
    }

    /// <inheritdoc cref="MessageProducer{TSource}.PublishAsync(TSource, TimeSpan, MessageProperties, CancellationToken)"/>
    public ValueTask<long> PublishAsync(TSource source, CancellationToken cancellationToken = default) =>
        PublishAsync(source, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);

    /// <inheritdoc cref="MessageProducer{TSource}.PublishAll"/>
    public long PublishAll(ReadOnlySpan<TSource> sources, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        TryPublishAll(sources, out var position, Timeout.InfiniteTimeSpan, properties, cancellationToken);
        return position;
    }

    /// <summary>Publishes many messages as one batch if a producer and room for all of them are available, or become available within the timeout.</summary>
    /// <returns>False if all producers stayed in use, or the queue stayed full. Nothing was published.</returns>
    /// <inheritdoc cref="MessageProducer{TSource}.TryPublishAll"/>
    public bool TryPublishAll(ReadOnlySpan<TSource> sources, out long position, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var (producer, rest) = _producers.Rent(timeout, cancellationToken);
        if (producer is null)
        {
            position = 0;
            return false;
        }

        try
        {
            return producer.TryPublishAll(sources, out position, rest, properties, cancellationToken);
        }
        finally
        {
            _producers.Return(producer);
        }
    }

    /// <summary>Publishes many messages as one batch, waiting for a producer and for room without blocking a thread.</summary>
    /// <exception cref="TimeoutException">All producers stayed in use, or the queue stayed full. Nothing was published.</exception>
    /// <inheritdoc cref="MessageProducer{TSource}.PublishAllAsync(ReadOnlyMemory{TSource}, TimeSpan, MessageProperties, CancellationToken)"/>
    public async ValueTask<long> PublishAllAsync(ReadOnlyMemory<TSource> sources, TimeSpan timeout, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var (producer, rest) = await _producers.RentAsync(timeout, cancellationToken).ConfigureAwait(false);
        try
        {
            return await producer.PublishAllAsync(sources, rest, properties, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _producers.Return(producer);
        }
    }

    /// <inheritdoc cref="MessageProducer{TSource}.PublishAllAsync(ReadOnlyMemory{TSource}, TimeSpan, MessageProperties, CancellationToken)"/>
    public ValueTask<long> PublishAllAsync(ReadOnlyMemory<TSource> sources, CancellationToken cancellationToken = default) =>
        PublishAllAsync(sources, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);

    /// <summary>Closes the publisher and its producers. A producer in use closes at the end of its publish. May be called more than once, and from any thread.</summary>
    public void Dispose() => _producers.Dispose();
}
