using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>
/// A worker of a handler: it takes a message, has it handled, and commits it when it takes the next one. <see cref="Drain"/> is the hot path, which serves messages that are there and are handled at
/// once; every other one goes through <see cref="HandleWithCareAsync"/>.
/// </summary>
internal abstract partial class HandlerWorker(HandlerRun run) : HandledMessage
{
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private enum Next
    {
        /// <summary>The message is handled, or a dead letter; taking the next one commits it.</summary>
        GoOn,

        /// <summary>The host stops, and the message is not handled: it is not committed.</summary>
        GiveUp,
    }

    /// <summary>The end of the worker. It never fails.</summary>
    public Task Completion => _completion.Task;

    public override string QueueName => Run.Handler.Queue;

    public override string HandlerName => Run.Handler.Name;

    public override long Position => Reader.PositionOf(Reader.Number);

    public override MessageId Id => Reader.IdOf(Reader.Number);

    public override bool IsRedelivery => Reader.IsRedelivery(Reader.Number);

    public override DeliveryProperties Properties => new(Reader.Properties(Reader.Number));

    /// <summary>Whether a message is being handled.</summary>
    public bool IsHandling => (Number & 1) != 0;

    public long Handled { get; protected set; }

    public long FailedAttempts { get; private set; }

    public long DeadLetters { get; private set; }

    protected HandlerRun Run { get; } = run;

    protected abstract LogReader Reader { get; }

    private MessageHandlerOptions Options => Run.Handler.Options;

    /// <summary>Begins to take messages.</summary>
    public void Start()
    {
        // Spans and other values of the flow that starts the host are not those of the messages.
        using var suppressed = ExecutionContext.SuppressFlow();
        if (Options.DedicatedThread)
        {
            new Thread(() => RunAsync().GetAwaiter().GetResult()) { IsBackground = true, Name = $"{Run.Handler.Queue}/{Run.Handler.Name}" }.Start();
        }
        else
        {
            _ = Task.Run(RunAsync);
        }
    }

    /// <summary>Closes a worker that has not started.</summary>
    public void Abandon()
    {
        Close();
        LeaveAsync().AsTask().GetAwaiter().GetResult();
    }

    /// <summary>Closes the consumer, or lets the message that is being handled close it. May be called more than once.</summary>
    public abstract void Close();

    /// <summary>Has messages handled until there is none at the moment, or one needs more than a call that completes at once.</summary>
    /// <param name="loop">The loop of the reader.</param>
    /// <param name="hasMessage">Whether the first one is taken already.</param>
    protected abstract DrainEnd Drain(long loop, bool hasMessage);

    /// <summary>Opens the message, and begins to handle it.</summary>
    /// <param name="services">The services of the attempt; null for those of the worker.</param>
    protected abstract ValueTask Invoke(IServiceProvider? services);

    /// <summary>Disposes the scope of the worker.</summary>
    protected abstract ValueTask LeaveScopeAsync();

    /// <summary>Disposes the scope of the worker. A failure goes to the log.</summary>
    protected async ValueTask LeaveAsync()
    {
        try
        {
            await LeaveScopeAsync().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            Run.Handler.Logger.NotDisposed(exception, QueueName, HandlerName);
        }
    }

    private async Task RunAsync()
    {
        try
        {
            while (await Settle(Run.Flow.EnterAsync(hasMessage: false)).ConfigureAwait(false) is { } take)
            {
                try
                {
                    // An admission lasts until its token is cancelled, and a step over deleted messages cancels nothing.
                    do
                    {
                        await TakeAsync(take).ConfigureAwait(false);
                    }
                    while (!take.IsCancellationRequested);
                }
                catch (IOException exception) when (exception is not StaleQueueException)
                {
                    // For a moment, as with too many open files.
                    Run.Handler.Logger.NotRead(exception, QueueName, HandlerName, Options.BreakDuration);
                    Run.Flow.Break(exception);
                }
            }
        }
        catch (Exception exception)
        {
            Run.Flow.Fail(exception);
        }
        finally
        {
            await EndAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask EndAsync()
    {
        Close();

        // The stop of the handler ends the wait before a further attempt, and its thread continues to here: it must not wait for the disposal, which may block.
        await Task.Yield();
        await LeaveAsync().ConfigureAwait(false);
        _completion.SetResult();
    }

    /// <summary>Takes messages until the token is cancelled, or until it steps over deleted ones.</summary>
    private async ValueTask TakeAsync(CancellationToken take)
    {
        var loop = Reader.BeginLoop(take, out var registration);
        try
        {
            while (await StepAsync(loop, take).ConfigureAwait(false) == Next.GoOn)
            {
            }
        }
        catch (OperationCanceledException) when (take.IsCancellationRequested)
        {
            // Paused or stopped: everything that was handled is committed.
        }
        catch (MessagesDeletedException exception)
        {
            await EndLoop(loop, registration).ConfigureAwait(false);
            StepOverDeleted(exception);
        }
        finally
        {
            await EndLoop(loop, registration).ConfigureAwait(false);
        }
    }

    /// <summary>Handles the messages that are there, or waits for one and handles it.</summary>
    private async ValueTask<Next> StepAsync(long loop, CancellationToken take)
    {
        var hasMessage = false;
        while (true)
        {
            var end = Drain(loop, hasMessage);
            switch (end.Kind)
            {
                case DrainEndKind.Empty:
                    await AwaitMessage(loop, take).ConfigureAwait(false);
                    hasMessage = true;
                    continue;
                case DrainEndKind.Pending:
                    return await Settle(FinishAsync(end.Pending)).ConfigureAwait(false);
                case DrainEndKind.Failed:
                    return await Settle(HandleWithCareAsync(end.Failure)).ConfigureAwait(false);
                case DrainEndKind.NeedsCare:
                    return await Settle(HandleWithCareAsync(failure: null)).ConfigureAwait(false);
                default:
                    if (!Options.DedicatedThread)
                    {
                        // Other work of the thread pool gets its turn.
                        await Task.Yield();
                    }

                    return Next.GoOn;
            }
        }
    }

    private ValueTask AwaitMessage(long loop, CancellationToken take)
    {
        if (!Options.DedicatedThread)
        {
            return Reader.AwaitStepAsync(loop, take);
        }

        Reader.AwaitStep(loop, take);
        return ValueTask.CompletedTask;
    }

    private ValueTask EndLoop(long loop, CancellationTokenRegistration registration)
    {
        if (!Options.DedicatedThread)
        {
            return Reader.EndLoopAsync(loop, registration);
        }

        Reader.EndLoop(loop, registration);
        return ValueTask.CompletedTask;
    }

    // Other members of the group may step over them at the same time; the name must not move back.
    private void StepOverDeleted(MessagesDeletedException exception)
    {
        lock (Run.SeekGate)
        {
            if (Reader.GetPosition() < exception.FirstPosition)
            {
                // Retention may have deleted more by now, so the first one of the exception is perhaps not there.
                Reader.Seek(QueueStart.Earliest);
                Run.Handler.Logger.MessagesDeleted(QueueName, HandlerName, exception.Position, Reader.GetPosition());
            }
        }
    }

    // A thread of its own waits, so that the next message begins on it again.
    private ValueTask<T> Settle<T>(ValueTask<T> task) =>
        !Options.DedicatedThread || task.IsCompleted ? task : new ValueTask<T>(task.AsTask().GetAwaiter().GetResult());

    /// <summary>The reason why a drain ended.</summary>
    protected enum DrainEndKind
    {
        /// <summary>There is no message at the moment, or taking was cancelled.</summary>
        Empty,

        /// <summary>The handler has begun with the message, and is not done yet.</summary>
        Pending,

        /// <summary>The handler, or the opening of the message, failed.</summary>
        Failed,

        /// <summary>The message is taken, and not begun.</summary>
        NeedsCare,

        /// <summary>Many messages were handled in turn.</summary>
        Long,
    }

    /// <summary>The end of a drain.</summary>
    protected readonly record struct DrainEnd(DrainEndKind Kind, ValueTask Pending = default, Exception? Failure = null);
}
