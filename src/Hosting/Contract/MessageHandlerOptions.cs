namespace BufferedMessages.Hosting;

/// <summary>
/// The options of a handler. They are named options, <c>queue/handler</c>, and can be bound to a configuration by this name. They are validated when the host starts; later changes have no effect.
/// </summary>
public sealed class MessageHandlerOptions
{
    /// <summary>The delays of <see cref="RetryDelays"/> by default.</summary>
    private static readonly TimeSpan[] DefaultRetryDelays = [TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(250), TimeSpan.FromSeconds(1)];

    /// <summary>
    /// Gets or sets the number of workers, from 1 to 64; 1 by default. Each is a member of the group of the handler's name, and has one message at a time. Messages that different workers have are
    /// handled in any order.
    /// </summary>
    public int Concurrency { get; set; } = 1;

    /// <summary>
    /// Gets or sets whether all messages are handled one after the other, in the order of the queue. The handler's name is exclusive then: one process at a time can have it, and one worker.
    /// If not, the name is a group's, and handlers of this name in all processes share the messages. A name stays of the kind it was opened as first.
    /// </summary>
    public bool Ordered { get; set; }

    /// <summary>
    /// Gets or sets how many messages an <see cref="Ordered"/> handler commits by one store, at most; 1 by default. See <see cref="ConsumerOptions.MessagesPerCommit"/>: more is faster, and
    /// repeats more after a crash.
    /// </summary>
    public int MessagesPerCommit { get; set; } = 1;

    /// <summary>Gets or sets where a new name begins; by default at the earliest message. A known name continues at its cursor.</summary>
    public QueueStart Start { get; set; }

    /// <summary>
    /// Gets or sets whether each worker has a thread of its own, on which it waits for messages and begins each; the latency is lower then. If not, workers wait without a thread and run in the
    /// thread pool. Handlers that block, or compute for long, also belong on threads of their own.
    /// </summary>
    public bool DedicatedThread { get; set; }

    /// <summary>Gets or sets how workers wait for messages; <see cref="WaitStrategy.Adaptive"/> by default. Without a <see cref="DedicatedThread"/> the waits are asynchronous.</summary>
    public WaitStrategy Wait { get; set; }

    /// <summary>Gets or sets whether each attempt has a scope of services, and a handler, of its own. If not, a worker has one scope and one handler as long as it lives.</summary>
    public bool ScopePerMessage { get; set; }

    /// <summary>
    /// Gets or sets the delays before further attempts, in order. The worker keeps the message until then, so that the order stays. A message that fails once more goes to the dead letters. Null
    /// waits 50 ms, 250 ms and 1 s; an empty list does not try again. Set an empty list in code: the binder of a configuration leaves it out.
    /// </summary>
    public IReadOnlyList<TimeSpan>? RetryDelays { get; set; }

    /// <summary>
    /// Gets or sets how many processes may die with a message before it goes to the dead letters, unseen by the handler; 5 by default. A handler that throws is tried again as <see cref="RetryDelays"/> says.
    /// A death of the process of an <see cref="Ordered"/> handler counts for the first message that is not committed, and for all of a commit of several, also if the handler had not begun it: with 1, a
    /// message that no handler has seen may become a dead letter.
    /// </summary>
    public int MaxDeaths { get; set; } = 5;

    /// <summary>
    /// Gets or sets whether a message that cannot be handled is kept as a dead letter; true by default. If not, it is lost: it is committed, and the log and a metric tell of it. For messages that are worth
    /// nothing later, such as measurements.
    /// </summary>
    public bool DeadLetters { get; set; } = true;

    /// <summary>
    /// Gets or sets after how many failed attempts in a row, of all workers, the handler pauses for <see cref="BreakFor"/>; 20 by default, null for never. After the pause it tries one message,
    /// and pauses again if that fails.
    /// </summary>
    public int? BreakAfter { get; set; } = 20;

    /// <summary>Gets or sets the time of such a pause; 30 seconds by default. It is also the pause when a dead letter could not be stored, or the queue could not be read for a moment.</summary>
    public TimeSpan BreakFor { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets or sets how long the stopping host waits for messages that are being handled; 10 seconds by default. Then the handlers' token is cancelled. A message that is not handled in the end
    /// comes again after the restart, or to another process at once.
    /// </summary>
    public TimeSpan StopWithin { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets or sets whether the span of a message continues the trace in which it was published. If not, it begins a trace of its own, with a link.</summary>
    public bool ContinueTrace { get; set; }

    /// <summary>The delays, as they are or by default.</summary>
    internal IReadOnlyList<TimeSpan> Delays => RetryDelays ?? DefaultRetryDelays;
}
