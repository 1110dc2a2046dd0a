using System.Diagnostics;

namespace BufferedMessages.Hosting;

/// <summary>
/// A request that waits for its reply. The reply, the timeout, the cancellation and the loss of the responder compete for it by taking it out of its inbox: the one that has taken it ends it.
/// </summary>
/// <typeparam name="TView">The view of the reply.</typeparam>
internal abstract class PendingRequest<TView>(RequestClientIdentity client, TimeSpan timeout)
    where TView : IQueuePayload<TView>, allows ref struct
{
    private readonly TimeSpan _timeout = timeout;
    private CancellationTokenRegistration _cancellation;

    /// <summary>The id among the requests of an inbox.</summary>
    public long Id { get; set; }

    /// <summary>When the request was made, as a timestamp of <see cref="Stopwatch"/>.</summary>
    public long Start { get; } = Stopwatch.GetTimestamp();

    /// <summary>The span of the request.</summary>
    public Activity? Span { get; } = RequestTraces.Start(client.Label, client.Responder);

    protected RequestClientIdentity Client { get; } = client;

    public bool IsExpired(long now) => _timeout != Timeout.InfiniteTimeSpan && Stopwatch.GetElapsedTime(Start, now) >= _timeout;

    /// <summary>Lets a token cancel the request. Called before it is published, so that no reply is faster.</summary>
    public void CancelBy(ReplyInbox<TView> inbox, CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled)
        {
            return;
        }

        _cancellation = cancellationToken.UnsafeRegister(
            static (state, token) =>
            {
                var (inbox, request) = ((ReplyInbox<TView>, PendingRequest<TView>))state!;
                if (inbox.TryTake(request.Id, out _))
                {
                    request.Cancel(token);
                }
            },
            (inbox, this));
        if (!inbox.IsWaiting(Id))
        {
            // Its end may have been recorded before the registration was there. The token would keep it, and it may live as long as the program.
            _cancellation.Unregister();
        }
    }

    /// <summary>Ends the request by its reply.</summary>
    public abstract void Answer(Delivery<TView> reply);

    /// <summary>Ends the request by a failure.</summary>
    public void Fail(Exception failure)
    {
        Conclude(failure);
        SetException(failure);
    }

    public void FailByTimeout() => Fail(new TimeoutException(FormattableString.Invariant(
        $"The responder '{Client.Responder}' of the queue '{Client.Queue}' did not answer within {_timeout}. It may be busy, paused or stopped by a debugger; a longer timeout waits longer.")));

    protected abstract void SetException(Exception failure);

    protected abstract void SetCanceled(CancellationToken cancellationToken);

    /// <summary>Records the end of the request, before its caller sees it.</summary>
    protected void Conclude(Exception? failure)
    {
        _cancellation.Unregister();
        RequestTraces.End(Span, failure);
        RequestMetrics.RecordRequest(Client.Label, Stopwatch.GetElapsedTime(Start), failure);
    }

    private void Cancel(CancellationToken cancellationToken)
    {
        Conclude(new OperationCanceledException(cancellationToken));
        SetCanceled(cancellationToken);
    }
}
