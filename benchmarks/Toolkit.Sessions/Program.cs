using BufferedMessages.Sessions;

const string Usage = """
    Measures the queue between processes, and in the same run what the bare machine does: the floor.

      throughput   messages per second, from the first publish to the last commit; floor: a bare ring of one producer and one consumer
      payloads     throughput with payloads of 16 bytes to a megabyte
      shapes       throughput of 1 x 1, 4 x 1, 1 x 4 and a group of 4 x 4 processes
      flushes      throughput of a durable queue on the disk, by flush mode
      latency      round trip over two queues; floor: two processes that pass a cache line to and fro
      waits        latency by the way to wait
      open-loop    from when a message was due until it is read, at a fixed rate; floor: a bare ring
      wakeup       from the publish until a sleeping consumer has the message; floor: a bare futex
      rolls        each publish to a durable queue while it makes new segments; floor: the same copies into bare mapped files
      catch-up     a consumer a gigabyte behind a producer that goes on; floor: plain reads of the same files
      recovery     from the kill of a producer within a message until the message behind it is read; floor: until the process is gone
      segments     opening a queue of 10,000 segments, and publishing behind them; floor: one segment
      typed        an object here, one field or all fields read there: three formats over queue, pipe and Unix socket
      publish      an order from object to visible, one thread; floor: writing it into an array
      field        reading one field by the size of the message, one thread; floor: the smallest message
      page         the producer of a queue that a page of `bufferedmessages serve` shows, beside 99 others, and the page's answers; floor: without a page
      steady       what users get, in steady state: all ways of a case in turns, round by round (--case, --shape); its results are an object of their own
      all          the configurations that the project is held to

      --payload BYTES         64; at least 8
      --producers N           1; each is a process (throughput)
      --consumers N           1; each is a process, and sees all messages, or shares them with --group (throughput)
      --mode bounded|durable  bounded
      --single-producer       a queue for one producer only
      --stamps                throughput: each message carries its time and the trace context
      --batch N               1; throughput: how many messages are published at once
      --per-commit N          1; throughput: how many messages a consumer's loop commits by one store
      --group                 the consumers are the members of a group
      --pages fresh|warm      fresh; warm puts a durable queue's pages into the page cache first
      --flush none|interval|every-message  none
      --wait block|spin|async block (latency, open-loop)
      --rate N                100,000 messages a second (open-loop, catch-up)
      --slots N               a bounded queue's slots
      --segment BYTES         a slot's or segment's size
      --directory DIR         where the queues are made; by default memory (/dev/shm), where there is such a place
      --messages N            per round; by default as many as take about a second (throughput); deaths (recovery); segments (segments)
      --rounds N              5
      --warmup SECONDS        2; rounds that are not counted come first for so long
      --case NAMES            cases of the session steady, with commas between them; by default all
      --shape NAMES           shapes of the session steady: single,many,group; by default all
      --seconds N             about how long a round takes; 1, in the session steady 0.3; fractions are allowed
      --json FILE             writes the figures as an array
    """;

var sessions = new Dictionary<string, Func<SessionOptions, IReadOnlyList<SessionResult>>>(StringComparer.Ordinal)
{
    ["throughput"] = options => [ThroughputSession.Run(options)],
    ["payloads"] = MatrixSession.RunPayloads,
    ["shapes"] = MatrixSession.RunShapes,
    ["flushes"] = MatrixSession.RunFlushes,
    ["latency"] = options => [LatencySession.Run(options)],
    ["waits"] = MatrixSession.RunWaits,
    ["open-loop"] = options => [OpenLoopSession.Run(options)],
    ["wakeup"] = options => [WakeupSession.Run(options)],
    ["rolls"] = options => [RollsSession.Run(options)],
    ["catch-up"] = options => [CatchUpSession.Run(options)],
    ["recovery"] = options => [RecoverySession.Run(options)],
    ["segments"] = SegmentsSession.Run,
    ["typed"] = TypedSession.Run,
    ["publish"] = PublishSession.Run,
    ["field"] = FieldSession.Run,
    ["page"] = PageSession.Run,
    ["all"] = AllSessions.Run,
};
var roles = new Dictionary<string, Action<SessionOptions>>(StringComparer.Ordinal)
{
    [ThroughputProducer.Role] = ThroughputProducer.Serve,
    [ThroughputConsumer.Role] = ThroughputConsumer.Serve,
    [LatencyCaller.Role] = LatencyCaller.Serve,
    [LatencyAnswerer.Role] = LatencyAnswerer.Serve,
    [OpenLoopProducer.Role] = OpenLoopProducer.Serve,
    [OpenLoopConsumer.Role] = OpenLoopConsumer.Serve,
    [WakeupWaker.Role] = WakeupWaker.Serve,
    [WakeupSleeper.Role] = WakeupSleeper.Serve,
    [RollsProducer.Role] = RollsProducer.Serve,
    [RollsConsumer.Role] = RollsConsumer.Serve,
    [CatchUpProducer.Role] = CatchUpProducer.Serve,
    [CatchUpConsumer.Role] = CatchUpConsumer.Serve,
    [RecoveryVictim.Role] = RecoveryVictim.Serve,
    [FlowWriter.Role] = FlowWriter.Serve,
    [FlowReader.Role] = FlowReader.Serve,
    [TypedWriter.Role] = TypedWriter.Serve,
    [TypedReader.Role] = TypedReader.Serve,
};

if (args.Length == 0)
{
    return Refuse(null);
}

SessionOptions options;
try
{
    options = SessionOptions.Parse(args[0] == SteadySession.Name ? SteadySession.Defaults : new SessionOptions(), args.AsSpan(1));
}
catch (ArgumentException exception)
{
    return Refuse(exception.Message);
}

if (args[0] == SteadySession.Name)
{
    return SteadySession.Run(options, args);
}

if (sessions.TryGetValue(args[0], out var session))
{
    Report.Write(session(options), options.JsonFile);
    return 0;
}

if (roles.TryGetValue(args[0], out var serve))
{
    serve(options);
    return 0;
}

return Refuse($"'{args[0]}' is not a session.");

static int Refuse(string? reason)
{
    Console.Error.WriteLine(reason is null ? Usage : $"{reason}\n{Usage}");
    return 2;
}
