using BufferedMessages.Sessions;

const string Usage = """
    Measures the queue between processes, and in the same run what the bare machine does: the floor.

      throughput   messages per second, from the first publish to the last commit; floor: a bare ring of one producer and one consumer
      latency      round trip over two queues; floor: two processes that pass a cache line to and fro
      wakeup       from the publish until a sleeping consumer has the message; floor: a bare futex
      all          the configurations that the project is held to

      --payload BYTES         64; at least 8
      --producers N           1; each is a process (throughput)
      --consumers N           1; each is a process, and sees all messages, or shares them with --group (throughput)
      --mode bounded|durable  bounded
      --single-producer       a queue for one producer only
      --group                 the consumers are the members of a group
      --pages fresh|warm      fresh; warm puts a durable queue's pages into the page cache first
      --slots N               a bounded queue's slots
      --segment BYTES         a slot's or segment's size
      --directory DIR         where the queues are made; by default memory (/dev/shm), where there is such a place
      --messages N            per round; by default as many as take about a second (throughput)
      --rounds N              5
      --warmup SECONDS        2; rounds that are not counted come first for so long
      --json FILE             writes the figures as an array
    """;

if (args.Length == 0)
{
    Console.Error.WriteLine(Usage);
    return 2;
}

SessionOptions options;
try
{
    options = SessionOptions.Parse(args.AsSpan(1));
}
catch (ArgumentException exception)
{
    Console.Error.WriteLine(exception.Message);
    Console.Error.WriteLine(Usage);
    return 2;
}

switch (args[0])
{
    case "throughput":
        Report.Write([ThroughputSession.Run(options)], options.JsonFile);
        return 0;
    case "latency":
        Report.Write([LatencySession.Run(options)], options.JsonFile);
        return 0;
    case "wakeup":
        Report.Write([WakeupSession.Run(options)], options.JsonFile);
        return 0;
    case "all":
        Report.Write(AllSessions.Run(options), options.JsonFile);
        return 0;
    case ThroughputProducer.Role:
        ThroughputProducer.Serve(options);
        return 0;
    case ThroughputConsumer.Role:
        ThroughputConsumer.Serve(options);
        return 0;
    case LatencyCaller.Role:
        LatencyCaller.Serve(options);
        return 0;
    case LatencyAnswerer.Role:
        LatencyAnswerer.Serve(options);
        return 0;
    case WakeupWaker.Role:
        WakeupWaker.Serve(options);
        return 0;
    case WakeupSleeper.Role:
        WakeupSleeper.Serve(options);
        return 0;
    default:
        Console.Error.WriteLine($"'{args[0]}' is not a session.");
        Console.Error.WriteLine(Usage);
        return 2;
}
