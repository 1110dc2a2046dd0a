namespace BufferedMessages.Hosting;

/// <summary>
/// The control of a handler of the services, to watch, pause and resume it: <c>[FromKeyedServices("orders/shipping")] MessageHandlerControl shipping</c>. Thread-safe.
/// </summary>
public sealed class MessageHandlerControl
{
    private readonly HandlerRun _run;

    internal MessageHandlerControl(HandlerRun run) => _run = run;

    /// <summary>Gets the name of the queue among the services.</summary>
    public string QueueName => _run.Handler.Queue;

    /// <summary>Gets the name of the handler, which is also its consumer name in the queue.</summary>
    public string HandlerName => _run.Handler.Name;

    /// <summary>Gets the state of the handler in this process.</summary>
    public MessageHandlerState State => _run.Flow.State;

    /// <summary>Gets the last failure of the handler, or of its queue or its dead letters; null if there was none. A later success does not clear it.</summary>
    public Exception? LastFailure => _run.Flow.LastFailure;

    /// <summary>Gets the number of messages that are being handled now.</summary>
    public int Running => _run.Sum(static worker => worker.IsHandling ? 1 : 0);

    /// <summary>Gets the number of messages that this process has handled.</summary>
    public long Handled => _run.Sum(static worker => worker.Handled);

    /// <summary>Gets the number of attempts that failed in this process.</summary>
    public long FailedAttempts => _run.Sum(static worker => worker.FailedAttempts);

    /// <summary>Gets the number of messages that went to the dead letters from this process.</summary>
    public long DeadLetters => _run.Sum(static worker => worker.DeadLetters);

    /// <summary>
    /// Keeps the handler from beginning further messages in this process. Messages that are being handled are finished, including their further attempts.
    /// A call before the host starts also takes effect.
    /// </summary>
    public void Pause() => _run.Flow.Pause();

    /// <summary>Resumes a paused handler, or one whose circuit is open, at once.</summary>
    public void Resume() => _run.Flow.Resume();
}
