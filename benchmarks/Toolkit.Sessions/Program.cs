using BufferedMessages.Sessions;

const string Usage = """
    Measures the queue between processes.

      throughput  [--payload 64] [--messages 20000000] [--rounds 5] [--directory DIR] [--pages fresh|warm] [--json FILE]
      wakeup      [--payload 64] [--messages 2000] [--directory DIR] [--json FILE]

    DIR is where the queues are made; by default the temp directory. Fresh pages are most of what a durable message costs, so the file
    system and the machine's memory count; warm pages are in the page cache before the clock starts.
    """;

if (args.Length == 0)
{
    Console.Error.WriteLine(Usage);
    return 2;
}

var options = SessionOptions.Parse(args.AsSpan(1));
switch (args[0])
{
    case "throughput":
        Report.Write(ThroughputSession.Run(options), options.JsonFile);
        return 0;
    case "wakeup":
        Report.Write(WakeupSession.Run(options), options.JsonFile);
        return 0;
    case ThroughputSession.ProducerRole:
        ThroughputSession.Produce(options);
        return 0;
    case ThroughputSession.ConsumerRole:
        ThroughputSession.Consume(options);
        return 0;
    case WakeupSession.ProducerRole:
        WakeupSession.Produce(options);
        return 0;
    case WakeupSession.ConsumerRole:
        WakeupSession.Consume(options);
        return 0;
    default:
        Console.Error.WriteLine($"'{args[0]}' is not a session.");
        Console.Error.WriteLine(Usage);
        return 2;
}
