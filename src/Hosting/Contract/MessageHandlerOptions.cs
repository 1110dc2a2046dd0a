namespace BufferedMessages.Hosting;

/// <summary>
/// The options of a handler. They are named options, <c>queue/handler</c>, and can be bound to a configuration by this name. They are validated when the host starts; later changes have no effect.
/// </summary>
public sealed class MessageHandlerOptions
{
    /// <summary>The delays of <see cref="RetryDelays"/> by default.</summary>
    private static readonly TimeSpan[] DefaultRetryDelays = [TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(250), TimeSpan.FromSeconds(1)];

    /// <summary>
    /// Gets or sets the number of workers, from 1 to 64; 1 by default. Each is a member of the group with the handler's name, and handles one message at a time. Messages of different workers are
    /// handled in any order.
    /// </summary>
    public int Concurrency { get; set; } = 1;

    /// <summary>
    /// Gets or sets whether all messages are handled one after the other, in the order of the queue. If so, the handler's name is exclusive: one process at a time can have it, with one worker.
    /// Otherwise the name is that of a group, and handlers of this name in all processes share the messages. A name keeps the kind that it was first opened as.
    /// </summary>
    public bool Ordered { get; set; }

    /// <summary>
    /// Gets or sets the maximum number of messages that an <see cref="Ordered"/> handler commits by one store; 1 by default. See <see cref="ConsumerOptions.MessagesPerCommit"/>: a larger number is
    /// faster, and repeats more messages after a crash.
    /// </summary>
    public int MessagesPerCommit { get; set; } = 1;

    /// <summary>Gets or sets where a new name begins; by default at the earliest message. A known name continues at its cursor.</summary>
    public QueueStart Start { get; set; }

    /// <summary>
    /// Gets or sets whether each worker has its own thread, on which it waits for messages and begins each. This lowers the latency. Otherwise workers wait without a thread and run in the thread
    /// pool. Handlers that block, or compute for long, also need threads of their own.
    /// </summary>
    public bool DedicatedThread { get; set; }

    /// <summary>Gets or sets how workers wait for messages; <see cref="WaitStrategy.Adaptive"/> by default. Without a <see cref="DedicatedThread"/> the waits are asynchronous.</summary>
    public WaitStrategy Wait { get; set; }

    /// <summary>Gets or sets whether each attempt has its own scope of services, and its own handler. Otherwise a worker has one scope and one handler as long as it lives.</summary>
    public bool ScopePerMessage { get; set; }

    /// <summary>
    /// Gets or sets the delays before further attempts, in order. The worker keeps the message during a delay, so that the order is preserved. If the attempt after the last delay fails too, the
    /// message goes to the dead letters. Null means 50 ms, 250 ms and 1 s; an empty list means no further attempt. Set an empty list in code: the configuration binder ignores it.
    /// </summary>
    public IReadOnlyList<TimeSpan>? RetryDelays { get; set; }

    /// <summary>
    /// Gets or sets how many processes may die with a message before it goes to the dead letters without being handled again; 5 by default. If a handler throws, <see cref="RetryDelays"/> applies.
    /// If the process of an <see cref="Ordered"/> handler dies, that counts for the first uncommitted message, and for all messages of a shared commit, even if the handler had not begun them. With 1,
    /// a message may become a dead letter without ever being handled.
    /// </summary>
    public int MaxDeaths { get; set; } = 5;

    /// <summary>
    /// Gets or sets whether a message that cannot be handled is kept as a dead letter; true by default. Otherwise it is lost: it is committed, and the log and a metric report it. Turn this off for
    /// messages that are worthless later, such as measurements.
    /// </summary>
    public bool DeadLetters { get; set; } = true;

    /// <summary>
    /// Gets or sets the number of failed attempts in a row, of all workers, after which the handler pauses for <see cref="BreakDuration"/>; 20 by default, null for never. After the pause it tries one
    /// message, and pauses again if that fails.
    /// </summary>
    public int? BreakAfter { get; set; } = 20;

    /// <summary>
    /// Gets or sets the duration of such a pause; 30 seconds by default. The handler also pauses for this time if a dead letter could not be stored, or the queue could not be read for a moment.
    /// </summary>
    public TimeSpan BreakDuration { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets or sets how long the stopping host waits for messages that are being handled; 10 seconds by default. Then the token of the handlers is cancelled. A message that is still not handled is
    /// delivered again after the restart, or to another process at once.
    /// </summary>
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets whether the span of a message continues the trace in which it was published. Otherwise it begins a trace of its own, with a link.</summary>
    public bool ContinueTrace { get; set; }

    /// <summary>The delays, as they are or by default.</summary>
    internal IReadOnlyList<TimeSpan> Delays => RetryDelays ?? DefaultRetryDelays;
}
