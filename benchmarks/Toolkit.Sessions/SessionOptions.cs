using System.Globalization;

namespace BufferedMessages.Sessions;

/// <summary>What the command line asks for; the processes that a session starts get the same options.</summary>
internal sealed record SessionOptions
{
    /// <summary>What a queue's segments have when nothing else is asked for.</summary>
    public const long DurableSegmentBytes = 64 * 1024 * 1024;

    private const long BoundedSegmentBytes = 4 * 1024 * 1024;
    private const int BoundedSlots = 4;
    private const string MemoryDirectory = "/dev/shm";

    public static string DefaultDirectory { get; } = System.IO.Directory.Exists(MemoryDirectory) ? MemoryDirectory : Path.GetTempPath();

    /// <summary>At least 8: the sessions number the messages, or stamp them with the time.</summary>
    public int PayloadBytes { get; init; } = 64;

    public int Producers { get; init; } = 1;

    public int Consumers { get; init; } = 1;

    public QueueMode Mode { get; init; } = QueueMode.Bounded;

    public bool HasSingleProducer { get; init; }

    public bool IsGroup { get; init; }

    /// <summary>Each message carries its time and the trace context.</summary>
    public bool HasStamps { get; init; }

    /// <summary>
    /// The pages of a durable queue are in the page cache before the clock starts, so that the figure is what the queue costs, not what the
    /// system needs to supply fresh memory. A bounded queue's always are: it uses the same ones again.
    /// </summary>
    public bool HasWarmPages { get; init; }

    public int? Slots { get; init; }

    public long? SegmentBytes { get; init; }

    public string Directory { get; init; } = DefaultDirectory;

    /// <summary>How many messages are published at once; 1 for one by one.</summary>
    public int MessagesPerBatch { get; init; } = 1;

    /// <summary>How many messages a loop commits by one store.</summary>
    public int MessagesPerCommit { get; init; } = 1;

    /// <summary>Messages per second where they are published by the clock.</summary>
    public int Rate { get; init; } = 100_000;

    public FlushMode Flush { get; init; }

    public WaitMode Wait { get; init; }

    public int? Messages { get; init; }

    public int Rounds { get; init; } = 5;

    /// <summary>About how long a round of messages takes, when their number is not given.</summary>
    public TimeSpan RoundTime { get; init; } = TimeSpan.FromSeconds(1);

    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(2);

    public string? JsonFile { get; init; }

    /// <summary>What goes through the queue, by the names of <see cref="Sessions.Flow"/>.</summary>
    public string Flow { get; init; } = Sessions.Flow.Bytes;

    /// <summary>Segments that every consumer has passed are deleted.</summary>
    public bool DeletesRead { get; init; }

    /// <summary>Cases of the steady session to run; none for all.</summary>
    public IReadOnlyList<string> Cases { get; init; } = [];

    /// <summary>Shapes of the steady session to run: single, many, group; none for all.</summary>
    public IReadOnlyList<string> Shapes { get; init; } = [];

    /// <summary>Bytes that a message takes in the queue, and in the bare ring.</summary>
    public int RecordBytes => (16 + PayloadBytes + 15) & ~15;

    public long RingBytes => (SegmentBytes ?? BoundedSegmentBytes) * (Slots ?? BoundedSlots);

    /// <exception cref="ArgumentException">The arguments are not understood.</exception>
    public static SessionOptions Parse(SessionOptions defaults, ReadOnlySpan<string> arguments)
    {
        var options = defaults;
        for (var i = 0; i < arguments.Length; i++)
        {
            switch (arguments[i])
            {
                case "--single-producer":
                    options = options with { HasSingleProducer = true };
                    break;
                case "--group":
                    options = options with { IsGroup = true };
                    break;
                case "--stamps":
                    options = options with { HasStamps = true };
                    break;
                default:
                    options = i + 1 < arguments.Length
                        ? options.With(arguments[i], arguments[i + 1])
                        : throw new ArgumentException($"'{arguments[i]}' is not an option, or needs a value.");
                    i++;
                    break;
            }
        }

        return options.HasSingleProducer && options.Producers != 1
            ? throw new ArgumentException("A queue of --single-producer has one producer. Leave --producers out.")
            : options;
    }

    /// <exception cref="ArgumentException">There are more producers or consumers than one.</exception>
    public static void RequirePair(SessionOptions options, string session)
    {
        if (options.Producers != 1 || options.Consumers != 1)
        {
            throw new ArgumentException($"The session '{session}' has one producer and one consumer. Leave --producers and --consumers out.");
        }
    }

    /// <summary>A choice as the command line has it: EveryMessage is every-message.</summary>
    public static string Word<T>(T choice)
        where T : struct, Enum
        => string.Concat(choice.ToString().Select((c, i) => (i != 0 && char.IsUpper(c) ? "-" : "") + char.ToLowerInvariant(c)));

    /// <summary>What the processes of a session get.</summary>
    public IEnumerable<string> ToArguments()
    {
        string[] values =
        [
            "--payload", Text(PayloadBytes),
            "--producers", Text(Producers),
            "--consumers", Text(Consumers),
            "--mode", Mode == QueueMode.Bounded ? "bounded" : "durable",
            "--directory", Directory,
            "--rate", Text(Rate),
            "--flush", Word(Flush),
            "--wait", Word(Wait),
            "--flow", Flow,
            "--batch", Text(MessagesPerBatch),
            "--per-commit", Text(MessagesPerCommit),
        ];
        return
        [
            .. values,
            .. Slots is { } slots ? ["--slots", Text(slots)] : Array.Empty<string>(),
            .. SegmentBytes is { } bytes ? ["--segment", Text(bytes)] : Array.Empty<string>(),
            .. HasSingleProducer ? ["--single-producer"] : Array.Empty<string>(),
            .. IsGroup ? ["--group"] : Array.Empty<string>(),
            .. HasStamps ? ["--stamps"] : Array.Empty<string>(),
        ];
    }

    private SessionOptions With(string option, string value) => option switch
    {
        "--payload" => this with { PayloadBytes = (int)Number(option, value, sizeof(long)) },
        "--producers" => this with { Producers = (int)Number(option, value, 1) },
        "--consumers" => this with { Consumers = (int)Number(option, value, 1) },
        "--mode" => this with { Mode = Choice(option, value, "bounded", "durable") ? QueueMode.Bounded : QueueMode.Durable },
        "--pages" => this with { HasWarmPages = Choice(option, value, "warm", "fresh") },
        "--slots" => this with { Slots = (int)Number(option, value, 1) },
        "--segment" => this with { SegmentBytes = Number(option, value, 1) },
        "--batch" => this with { MessagesPerBatch = (int)Number(option, value, 1) },
        "--per-commit" => this with { MessagesPerCommit = (int)Number(option, value, 1) },
        "--rate" => this with { Rate = (int)Number(option, value, 1) },
        "--flush" => this with { Flush = Choice<FlushMode>(option, value) },
        "--wait" => this with { Wait = Choice<WaitMode>(option, value) },
        "--directory" => this with { Directory = value },
        "--messages" => this with { Messages = (int)Number(option, value, 1) },
        "--rounds" => this with { Rounds = (int)Number(option, value, 1) },
        "--warmup" => this with { Warmup = TimeSpan.FromSeconds(Number(option, value, 0)) },
        "--seconds" => this with { RoundTime = TimeSpan.FromSeconds(Fraction(option, value)) },
        "--flow" => this with { Flow = value },
        "--case" => this with { Cases = value.Split(',') },
        "--shape" => this with { Shapes = value.Split(',') },
        "--json" => this with { JsonFile = value },
        _ => throw new ArgumentException($"'{option}' is not an option."),
    };

    private static bool Choice(string option, string value, string first, string second) =>
        value == first || (value == second ? false : throw new ArgumentException($"{option} is {first} or {second}, not '{value}'."));

    private static T Choice<T>(string option, string value)
        where T : struct, Enum
    {
        foreach (var choice in Enum.GetValues<T>())
        {
            if (Word(choice) == value)
            {
                return choice;
            }
        }

        throw new ArgumentException($"{option} is {string.Join(", ", Enum.GetValues<T>().Select(Word))}, not '{value}'.");
    }

    private static long Number(string option, string value, long least) =>
        long.TryParse(value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out var number) && number >= least && number <= int.MaxValue
            ? number
            : throw new ArgumentException($"{option} needs a number from {least} on, not '{value}'.");

    private static double Fraction(string option, string value) =>
        double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number > 0
            ? number
            : throw new ArgumentException($"{option} needs a number above 0, not '{value}'.");

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
