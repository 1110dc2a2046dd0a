namespace BufferedMessages.Hosting;

/// <summary>A handler of the services, from the host's start to its stop: its workers, and what they share.</summary>
internal sealed class HandlerRun : IDisposable
{
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    private readonly Func<HandlerRun, MessageQueue, HandlerWorker> _openWorker;
    private readonly CancellationTokenSource _handling = new();
    private List<HandlerWorker> _workers = [];
    private DeadLetterStore? _deadLetters;
    private AttemptNotes? _attempts;

    public HandlerRun(HandlerIdentity handler, Func<HandlerRun, MessageQueue, HandlerWorker> openWorker, IUnhandledMessages? unhandled)
    {
        Handler = handler;
        Unhandled = unhandled;
        _openWorker = openWorker;
        Flow = new HandlerFlow(handler);
        Handling = _handling.Token;
    }

    public HandlerIdentity Handler { get; }

    public HandlerFlow Flow { get; }

    /// <summary>The place of messages that could not be handled, before the dead letters; null for none.</summary>
    public IUnhandledMessages? Unhandled { get; }

    /// <summary>The token of the handlers: cancelled when the stopping host has waited for them.</summary>
    public CancellationToken Handling { get; }

    /// <summary>The name of the queue's directory, as metrics and traces name the queue.</summary>
    public string QueueLabel { get; private set; } = "";

    /// <summary>Serializes the steps over deleted messages.</summary>
    public Lock SeekGate { get; } = new();

    public DeadLetterStore DeadLetters => _deadLetters ?? throw new InvalidOperationException("The handler has not started.");

    public AttemptNotes Attempts => _attempts ?? throw new InvalidOperationException("The handler has not started.");

    /// <summary>Opens the workers, and lets them begin.</summary>
    public void Start(MessageQueue queue)
    {
        QueueLabel = Path.GetFileName(queue.Path);
        _deadLetters = new DeadLetterStore(queue, Handler.Name);
        _attempts = new AttemptNotes(queue, Handler.Name);
        _attempts.ForgetOld(queue.Id, queue.GetStatistics().FirstPosition);
        var workers = new List<HandlerWorker>();
        try
        {
            for (var i = 0; i < Handler.Options.Concurrency; i++)
            {
                workers.Add(_openWorker(this, queue));
            }
        }
        catch
        {
            workers.ForEach(static worker => worker.Abandon());
            throw;
        }

        Volatile.Write(ref _workers, workers);
        Handler.Logger.Started(Handler.Queue, Handler.Name, workers.Count);
        Flow.Start(QueueLabel);
        workers.ForEach(static worker => worker.Start());
    }

    /// <summary>Lets the workers finish their messages, then cancels them, and closes them.</summary>
    /// <param name="cancellationToken">Ends the wait for the messages early.</param>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        var wasFailed = Flow.State == MessageHandlerState.Failed;
        Flow.Stop();
        var workers = _workers;
        var all = Task.WhenAll(workers.Select(static worker => worker.Completion));
        if (!await CompletesAsync(all, Handler.Options.StopTimeout, cancellationToken).ConfigureAwait(false))
        {
            Handler.Logger.Cancelling(Handler.Queue, Handler.Name, workers.Count(static worker => worker.IsHandling));

            var cancelling = CancelHandlingAsync();
            if (!await CompletesAsync(Task.WhenAll(all, cancelling), Grace, CancellationToken.None).ConfigureAwait(false) && !all.IsCompleted)
            {
                Handler.Logger.NotStopped(Handler.Queue, Handler.Name, workers.Count(static worker => worker.IsHandling));
                workers.ForEach(static worker => worker.Close());
            }
        }

        if (!wasFailed && workers.Count > 0)
        {
            Handler.Logger.Stopped(Handler.Queue, Handler.Name, Sum(static worker => worker.Handled), Sum(static worker => worker.FailedAttempts), Sum(static worker => worker.DeadLetters));
        }
    }

    public long Sum(Func<HandlerWorker, long> number) => Volatile.Read(ref _workers).Sum(number);

    public int Sum(Func<HandlerWorker, int> number) => Volatile.Read(ref _workers).Sum(number);

    /// <summary>Closes the dead letters. Workers that the host has not stopped are cancelled; they close themselves.</summary>
    public void Dispose()
    {
        Flow.Dispose();
        _ = CancelHandlingAsync();
        _deadLetters?.Dispose();
    }

    // A callback on the token may block, as the rest of a handler that awaited it may: they run on the pool. All of them run, even after one that throws.
    private async Task CancelHandlingAsync()
    {
        try
        {
            await _handling.CancelAsync().ConfigureAwait(false);
        }
        catch (AggregateException exception)
        {
            Handler.Logger.CallbackFailed(exception, Handler.Queue, Handler.Name);
        }
    }

    private async Task<bool> CompletesAsync(Task task, TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            await task.WaitAsync(limit, Handler.Time, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception exception) when (exception is TimeoutException or OperationCanceledException)
        {
            return task.IsCompleted;
        }
    }
}
