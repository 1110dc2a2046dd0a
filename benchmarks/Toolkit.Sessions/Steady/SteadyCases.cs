namespace BufferedMessages.Sessions;

/// <summary>The cases: which ways are measured in turns, and what they are compared with.</summary>
internal static class SteadyCases
{
    private const string OfTheRing = "of the ring";
    private const string OfTheSlower = "of the slower side";
    private const string OfProtobuf = "of Protobuf";
    private const string OfBounded = "of bounded";
    private const string OfSteady = "of steady";

    /// <summary>The shape that some cases do not have.</summary>
    public const string Group = "group";

    private const int RoundTrips = 200_000;
    private const int Wakeups = 300;

    /// <summary>The shapes, as the command line names them.</summary>
    public static IReadOnlyList<string> ShapeNames { get; } = [.. Shapes(new SessionOptions()).Select(static shape => shape.Name)];

    public static IReadOnlyList<(string Name, bool HasGroup, Func<SessionOptions, IReadOnlyList<Contender>> Make)> All { get; } =
    [
        ("orders", true, Orders),
        ("small", true, Small),
        ("batches", false, Batches),
        ("durable", false, Durable),
        ("trips", false, Trips),
        ("wakeup", true, Wakeup),
        ("first", false, First),
    ];

    // Batches of 32 messages, read with a commit of each message and with one for 32; and one by one.
    private static List<Contender> Batches(SessionOptions options)
    {
        var ring = StartPair("bare ring", options, Flow.Ring);
        var contenders = new List<Contender> { ring };
        foreach (var (shape, shaped) in ShapesWithoutGroup(options))
        {
            contenders.Add(StartPair($"{shape}, one by one", shaped, Flow.Bytes).ComparedWith(OfTheRing, ring.RateOf));
            contenders.Add(StartPair($"{shape}, batches", shaped, Flow.Batches).ComparedWith(OfTheRing, ring.RateOf));
            contenders.Add(StartPair($"{shape}, batches, one commit for each", shaped, Flow.BatchesOneCommit).ComparedWith(OfTheRing, ring.RateOf));
        }

        return contenders;
    }

    // Each shape and format: publisher alone, reader alone, and both at once.
    private static List<Contender> Orders(SessionOptions options)
    {
        var contenders = new List<Contender>();
        foreach (var (shape, shaped) in Shapes(options))
        {
            var protobuf = shaped.IsGroup ? null : AddOrders(contenders, $"{shape}, Protobuf", shaped, Flow.ProtobufOneField, Flow.ProtobufAllFields, peer: null);
            AddOrders(contenders, shape, shaped, Flow.TradesOneField, Flow.TradesAllFields, protobuf);
        }

        return contenders;
    }

    private static RateContender[] AddOrders(List<Contender> contenders, string name, SessionOptions options, string oneField, string allFields, RateContender[]? peer)
    {
        var (one, onePair) = Start(options, oneField);
        var (all, allPair) = Start(options, allFields);
        var publisher = new PublisherContender($"{name}, publisher alone", onePair, one);
        var reader = new ReaderContender($"{name}, reader of one field alone", onePair, one);
        var allReader = new ReaderContender($"{name}, reader of all fields alone", allPair, all);
        RateContender[] ways =
        [
            publisher,
            reader,
            allReader,
            new PairContender($"{name}, one field", onePair, one).ComparedWith(OfTheSlower, round => Math.Min(publisher.RateOf(round), reader.RateOf(round))),
            new PairContender($"{name}, all fields", allPair, all).ComparedWith(OfTheSlower, round => Math.Min(publisher.RateOf(round), allReader.RateOf(round))),
        ];
        if (peer is not null)
        {
            foreach (var (ours, theirs) in ways.Zip(peer))
            {
                ours.ComparedWith(OfProtobuf, theirs.RateOf);
            }
        }

        contenders.AddRange(ways);
        return ways;
    }

    // Bytes beside the bare ring. The durable queue's pages are warm, then fresh.
    private static List<Contender> Small(SessionOptions options)
    {
        var ring = StartPair("bare ring", options, Flow.Ring);
        var contenders = new List<Contender> { ring };
        foreach (var (shape, shaped) in Shapes(options))
        {
            contenders.Add(StartPair(shape, shaped, Flow.Bytes).ComparedWith(OfTheRing, ring.RateOf));
            if (!shaped.IsGroup)
            {
                var durable = shaped with { Mode = QueueMode.Durable };
                contenders.Add(StartPair($"{shape}, durable, warm pages", durable with { HasWarmPages = true }, Flow.Bytes).ComparedWith(OfTheRing, ring.RateOf));
                contenders.Add(StartPair($"{shape}, durable, fresh pages", durable, Flow.Bytes).ComparedWith(OfTheRing, ring.RateOf));
            }
        }

        return contenders;
    }

    private static List<Contender> Durable(SessionOptions options)
    {
        var contenders = new List<Contender>();
        foreach (var (shape, shaped) in ShapesWithoutGroup(options))
        {
            var durable = shaped with { Mode = QueueMode.Durable };
            var bounded = StartPair($"{shape}, bounded", shaped, Flow.TradesOneField);
            contenders.AddRange(
            [
                bounded,
                StartPair($"{shape}, durable, warm pages", durable with { HasWarmPages = true }, Flow.TradesOneField).ComparedWith(OfBounded, bounded.RateOf),
                StartPair($"{shape}, durable, fresh pages", durable, Flow.TradesOneField).ComparedWith(OfBounded, bounded.RateOf),
                StartPair($"{shape}, durable, read segments deleted", durable with { DeletesRead = true }, Flow.TradesOneField).ComparedWith(OfBounded, bounded.RateOf),
            ]);
        }

        return contenders;
    }

    private static List<Contender> Trips(SessionOptions options) =>
    [
        .. from shaped in ShapesWithoutGroup(options)
           from wait in new[] { WaitMode.Spin, WaitMode.Block }
           let waiting = shaped.Options with { Wait = wait }
           let trips = options.Messages ?? RoundTrips
           select new TimeContender(
               $"{shaped.Name}, {(wait == WaitMode.Spin ? "spin" : "adaptive")}",
               new PairSession(LatencyAnswerer.Role, LatencyCaller.Role, [LatencySession.CallQueue, LatencySession.AnswerQueue], waiting),
               waiting,
               trips,
               2L * trips),
    ];

    // As the scheduler places the two sides, and with a processor for each of them.
    private static List<Contender> Wakeup(SessionOptions options) =>
    [
        .. from shaped in Shapes(options)
           from isPinned in new[] { false, true }
           let placed = shaped.Options with { IsPinned = isPinned }
           let wakes = options.Messages ?? Wakeups
           select new TimeContender(
               isPinned ? $"{shaped.Name}, a processor for each side" : shaped.Name,
               new PairSession(WakeupWaker.Role, WakeupSleeper.Role, [WakeupSession.Queue], placed),
               placed,
               wakes,
               WakeupSession.FirstWakes + wakes,
               Futex.IsSupported),
    ];

    private static List<Contender> First(SessionOptions options)
    {
        var contenders = new List<Contender>();
        foreach (var (shape, shaped) in ShapesWithoutGroup(options))
        {
            var steady = StartPair($"{shape}, steady", shaped, Flow.TradesOneField);
            contenders.Add(steady);
            contenders.Add(new FirstContender($"{shape}, first million of a process", OfFlow(shaped, Flow.TradesOneField)).ComparedWith(OfSteady, steady.RateOf));
        }

        return contenders;
    }

    private static IEnumerable<(string Name, SessionOptions Options)> Shapes(SessionOptions options)
    {
        (string Name, SessionOptions Options)[] shapes =
        [
            ("single", options with { HasSingleProducer = true }),
            ("many", options),
            (Group, options with { IsGroup = true }),
        ];
        return shapes.Where(shape => options.Shapes.Count == 0 || options.Shapes.Contains(shape.Name));
    }

    private static IEnumerable<(string Name, SessionOptions Options)> ShapesWithoutGroup(SessionOptions options) => Shapes(options).Where(shape => !shape.Options.IsGroup);

    private static SessionOptions OfFlow(SessionOptions options, string flow) => options with { Flow = flow, PayloadBytes = Flow.BytesOf(flow, options) };

    private static (SessionOptions Options, FlowPair Pair) Start(SessionOptions options, string flow)
    {
        var flowing = OfFlow(options, flow);
        return (flowing, new FlowPair(flowing));
    }

    private static PairContender StartPair(string name, SessionOptions options, string flow)
    {
        var (flowing, pair) = Start(options, flow);
        return new PairContender(name, pair, flowing);
    }
}
