namespace BufferedMessages.Hosting;

/// <summary>
/// A client that sends requests to a responder and gets its replies: <c>var price = await prices.SendAsync(new PriceRequest { Article = 7 }, static reply => reply.Price)</c>. All threads may share
/// it; any number of requests can wait at a time. It holds no thread, and does nothing while no request waits.
/// </summary>
/// <typeparam name="TRequest">The type of the requests, with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
/// <typeparam name="TReplyView">The type to read the replies as: a generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class RequestClient<TRequest, TReplyView> : IDisposable
    where TRequest : IBufferedMessageSource<TRequest>
    where TReplyView : IQueuePayload<TReplyView>, allows ref struct
{
    private readonly Lock _gate = new();
    private readonly RequestClientIdentity _client;
    private readonly MessageQueue _queue;
    private readonly MessagePublisher<TRequest> _publisher;
    private ReplyInbox<TReplyView> _inbox;
    private bool _isDisposed;

    internal RequestClient(RequestClientIdentity client, MessageQueue queue)
    {
        _client = client;
        _queue = queue;
        _publisher = queue.OpenPublisher<TRequest>(new ProducerOptions { StampTime = true, StampTrace = true });
        try
        {
            _inbox = new ReplyInbox<TReplyView>(client, queue);
        }
        catch
        {
            _publisher.Dispose();
            throw;
        }
    }

    /// <summary>Sends a request, and waits for the reply. A reply that comes after the wait has ended is dropped.</summary>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="request">The request. It must not change until it is published, which happens at once unless the queue is full.</param>
    /// <param name="read">Reads the result from the reply, in place. It must return soon, because other replies to the client wait for it.</param>
    /// <param name="timeout">How long to wait for the reply; null for <see cref="RequestClientOptions.Timeout"/>. The wait ends up to 20 ms late.</param>
    /// <param name="cancellationToken">Ends the wait. The responder is not notified.</param>
    /// <exception cref="RequestFailedException">The responder reported a failure.</exception>
    /// <exception cref="ResponderLostException">No responder is alive. The request may have been handled.</exception>
    /// <exception cref="TimeoutException">No reply came in time. The request may have been handled.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled. The request may have been handled, or may still be.</exception>
    /// <exception cref="MalformedMessageException">The reply is not a message of this type.</exception>
    /// <exception cref="QueueCorruptedException">The queue, or the client's reply queue, is damaged. The request may have been handled.</exception>
    /// <exception cref="StaleQueueException">The files of the queue, or of the client's reply queue, were deleted or replaced. If it was the reply queue, the next request opens another one.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is not positive, or is longer than 24 days.</exception>
    /// <exception cref="ObjectDisposedException">The client is disposed.</exception>
    /// <inheritdoc cref="MessageProducer{TSource}.Publish(TSource, CancellationToken)" path="/exception[not(@cref='T:BufferedMessages.QueueCorruptedException' or @cref='T:BufferedMessages.StaleQueueException' or @cref='T:System.OperationCanceledException' or @cref='T:System.ObjectDisposedException')]"/>
    public Task<TResult> SendAsync<TResult>(TRequest request, Func<TReplyView, TResult> read, TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(read);
        var limit = timeout is { } asked ? RequestTimeout.Require(asked) : _client.Options.Timeout;
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled<TResult>(cancellationToken);
        }

        var pending = new PendingRequest<TReplyView, TResult>(_client, limit, read);
        ReplyInbox<TReplyView> inbox;
        try
        {
            inbox = Add(pending);
        }
        catch (Exception exception)
        {
            pending.Fail(exception);
            return pending.Task;
        }

        pending.CancelBy(inbox, cancellationToken);
        if (pending.Task.IsCompleted)
        {
            return pending.Task;
        }

        try
        {
            var properties = RequestProperties.OfRequest(pending.Id, inbox.Name, limit);
            properties.TraceContext = pending.Span?.Context ?? default;
            if (_publisher.TryPublish(request, out _, TimeSpan.Zero, properties, CancellationToken.None))
            {
                RequestProperties.Return(properties);
            }
            else
            {
                _ = PublishAsync(request, properties, pending, inbox, cancellationToken);
            }
        }
        catch (Exception exception)
        {
            Refuse(pending, inbox, exception);
        }

        return pending.Task;
    }

    /// <summary>Closes the client. Requests that wait fail with an <see cref="ObjectDisposedException"/>, and the reply queue is deleted. May be called more than once, and from any thread.</summary>
    public void Dispose()
    {
        ReplyInbox<TReplyView> inbox;
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            inbox = _inbox;
        }

        inbox.Dispose();
        _publisher.Dispose();
    }

    private static void Refuse(PendingRequest<TReplyView> pending, ReplyInbox<TReplyView> inbox, Exception exception)
    {
        if (inbox.TryTake(pending.Id, out _))
        {
            pending.Fail(exception);
        }
    }

    /// <summary>Waits for room in the queue, as long as the request waits.</summary>
    private async Task PublishAsync<TResult>(
        TRequest request, MessageProperties properties, PendingRequest<TReplyView, TResult> pending, ReplyInbox<TReplyView> inbox, CancellationToken cancellationToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            var publishing = _publisher.PublishAsync(request, Timeout.InfiniteTimeSpan, properties, ended.Token).AsTask();
            await Task.WhenAny(publishing, pending.Task).ConfigureAwait(false);
            await ended.CancelAsync().ConfigureAwait(false);
            await publishing.ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The request has ended, or the same token ends it.
        }
        catch (Exception exception)
        {
            Refuse(pending, inbox, exception);
        }
    }

    /// <summary>Lets the request wait, in a new inbox if the reply queue was lost.</summary>
    private ReplyInbox<TReplyView> Add(PendingRequest<TReplyView> pending)
    {
        var inbox = Volatile.Read(ref _inbox);
        if (inbox.TryAdd(pending))
        {
            return inbox;
        }

        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_inbox.HasEnded)
            {
                _inbox.Dispose();
                _inbox = new ReplyInbox<TReplyView>(_client, _queue);
            }

            inbox = _inbox;
        }

        return inbox.TryAdd(pending) ? inbox : throw new ObjectDisposedException(nameof(RequestClient<,>));
    }
}
