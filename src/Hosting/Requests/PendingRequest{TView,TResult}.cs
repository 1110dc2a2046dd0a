namespace BufferedMessages.Hosting;

/// <summary>A request that waits for its reply, with the result that is read from it.</summary>
internal sealed class PendingRequest<TView, TResult>(RequestClientIdentity client, TimeSpan timeout, Func<TView, TResult> read) : PendingRequest<TView>(client, timeout)
    where TView : IQueuePayload<TView>, allows ref struct
{
    // The caller continues in the thread pool, and does not hold up other replies.
    private readonly TaskCompletionSource<TResult> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TResult> Task => _result.Task;

    public override void Answer(Delivery<TView> reply)
    {
        TResult result;
        try
        {
            result = read(reply.Message);
        }
        catch (Exception exception)
        {
            Fail(exception);
            return;
        }

        Conclude(failure: null);
        _result.SetResult(result);
    }

    protected override void SetException(Exception failure) => _result.SetException(failure);

    protected override void SetCanceled(CancellationToken cancellationToken) => _result.SetCanceled(cancellationToken);
}
