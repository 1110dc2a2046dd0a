using System.Globalization;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>What the command line asks for; the processes that a session starts get the same options.</summary>
internal sealed record SessionOptions
{
    /// <summary>What a queue's segments have when nothing else is asked for.</summary>
    public const long DurableSegmentBytes = 64 * 1024 * 1024;

    // The block of properties with the time, 12 bytes, and the trace context without a state, 32; its end has 8, and its length is a multiple of 8.
    private const int StampBytes = 56;
    private const long BoundedSegmentBytes = 4 * 1024 * 1024;
    private const int BoundedSlots = 4;
    private const int MostMessagesOfTurn = 1_000;

    // With two slots, a quarter of one: the rest of a slot that the consumer is in may be too short for a message.
    private const int TurnsOfRing = 8;
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

    /// <summary>Each process keeps to a processor of its own.</summary>
    public bool IsPinned { get; init; }

    /// <summary>Cases of the steady session to run; none for all.</summary>
    public IReadOnlyList<string> Cases { get; init; } = [];

    /// <summary>Shapes of the steady session to run: single, many, group; none for all.</summary>
    public IReadOnlyList<string> Shapes { get; init; } = [];

    /// <summary>Bytes that a message takes in the queue, if it has no stamps, and in the bare ring.</summary>
    public int RecordBytes => RecordOf(PayloadBytes);

    /// <summary>Bytes that a message takes in the queue with its stamps.</summary>
    public int StampedRecordBytes => RecordOf(PayloadBytes + (HasStamps ? StampBytes : 0));

    public long RingBytes => (SegmentBytes ?? BoundedSegmentBytes) * (Slots ?? BoundedSlots);

    /// <summary>Messages that one thread publishes before it makes room for more: a ring has room for them.</summary>
    public int MessagesOfTurn => (int)Math.Clamp(RingBytes / RecordBytes / TurnsOfRing, 1, MostMessagesOfTurn);

    /// <summary>Why these options cannot be measured; null when they can.</summary>
    public string? Fault =>
        HasSingleProducer && Producers != 1 ? "A queue of --single-producer has one producer. Leave --producers out."
        : IsGroup && MessagesPerCommit != 1 ? "The members of a group commit each message. Leave --per-commit out."
        : null;

    /// <summary>What the processes of a session get.</summary>
    public IEnumerable<string> ToArguments()
    {
        string[] values =
        [
            "--payload", Text(PayloadBytes),
            "--producers", Text(Producers),
            "--consumers", Text(Consumers),
            "--mode", RunnerCommand.Word(Mode),
            "--directory", Directory,
            "--rate", Text(Rate),
            "--flush", RunnerCommand.Word(Flush),
            "--wait", RunnerCommand.Word(Wait),
            SessionArguments.FlowOption, Flow,
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
            .. IsPinned ? [SessionArguments.PinnedOption] : Array.Empty<string>(),
        ];
    }

    private static int RecordOf(int bytes) => (16 + bytes + 15) & ~15;

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
