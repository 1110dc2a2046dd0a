using System.CommandLine;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>The options of the command line, for all sessions and for the processes that they start.</summary>
internal sealed class SessionArguments
{
    /// <summary>Only a session gives this one to its processes.</summary>
    public const string FlowOption = "--flow";

    /// <inheritdoc cref="FlowOption"/>
    public const string PinnedOption = "--pinned";

    private readonly Option<int> _payload = RunnerCommand.Number("--payload", "Bytes of a message", 64, sizeof(long));
    private readonly Option<int> _producers = RunnerCommand.Number("--producers", "Throughput: each is a process", 1, 1);
    private readonly Option<int> _consumers = RunnerCommand.Number("--consumers", "Throughput: each is a process, and sees all messages, or shares them with --group", 1, 1);
    private readonly Option<QueueMode> _mode = RunnerCommand.Choice("--mode", "The mode of the queue", QueueMode.Bounded);
    private readonly Option<bool> _singleProducer = new("--single-producer") { Description = "A queue for one producer only" };
    private readonly Option<bool> _stamps = new("--stamps") { Description = "Throughput: each message carries its time and the trace context" };
    private readonly Option<int> _batch = RunnerCommand.Number("--batch", "Throughput: how many messages are published at once", 1, 1);
    private readonly Option<int> _perCommit = RunnerCommand.Number("--per-commit", "Throughput and steady: how many messages a consumer's loop commits by one store", 1, 1);
    private readonly Option<bool> _group = new("--group") { Description = "The consumers are the members of a group" };
    private readonly Option<string> _pages = RunnerCommand.Choice("--pages", "Warm puts a durable queue's pages into the page cache first", "fresh", "fresh", "warm");
    private readonly Option<FlushMode> _flush = RunnerCommand.Choice<FlushMode>("--flush", "When a durable queue is flushed");
    private readonly Option<WaitMode> _wait = RunnerCommand.Choice<WaitMode>("--wait", "Latency and open-loop: how a consumer waits");
    private readonly Option<int> _rate = RunnerCommand.Number("--rate", "Open-loop and catch-up: messages a second", 100_000, 1);
    private readonly Option<int?> _slots = RunnerCommand.OptionalNumber("--slots", "A bounded queue's slots", 1);
    private readonly Option<int?> _segment = RunnerCommand.OptionalNumber("--segment", "Bytes of a slot or segment", 1);
    private readonly Option<string> _directory = new("--directory")
    {
        Description = "Where the queues are made; by default memory, where there is such a place",
        HelpName = "directory",
        DefaultValueFactory = static _ => SessionOptions.DefaultDirectory,
    };

    private readonly Option<int?> _messages = RunnerCommand.OptionalNumber("--messages", "Messages of a round, deaths (recovery) or segments (segments); by default as many as take about a second", 1);
    private readonly Option<int> _rounds = RunnerCommand.Number("--rounds", "How often the session measures", 5, 1);
    private readonly Option<int?> _warmup = RunnerCommand.OptionalNumber("--warmup", "Seconds of rounds that are not counted and come first; 2, steady 1");
    private readonly Option<double?> _seconds = RunnerCommand.OptionalFraction("--seconds", "Throughput, open-loop, page and steady: about how long a round takes; 1, steady 0.3");
    private readonly Option<string?> _cases = new("--case") { Description = "Steady: its cases, with commas between them; by default all", HelpName = "names" };
    private readonly Option<string?> _shapes = new("--shape") { Description = "Steady: its shapes, of single,many,group; by default all", HelpName = "names" };
    private readonly Option<string?> _json = RunnerCommand.JsonFile();
    private readonly Option<string> _flow = new(FlowOption) { Hidden = true, DefaultValueFactory = static _ => Flow.Bytes };
    private readonly Option<bool> _pinned = new(PinnedOption) { Hidden = true };

    private Option[] All =>
    [
        _payload, _producers, _consumers, _mode, _singleProducer, _stamps, _batch, _perCommit, _group, _pages, _flush, _wait, _rate, _slots, _segment,
        _directory, _messages, _rounds, _warmup, _seconds, _cases, _shapes, _json, _flow, _pinned,
    ];

    /// <summary>Adds the options to the command and to those below it.</summary>
    public void AddTo(RootCommand command)
    {
        foreach (var option in All)
        {
            option.Recursive = true;
            command.Options.Add(option);
        }
    }

    /// <summary>Finds an option of the command line that a session does not measure: it would be left out without a word, or would be named in the result of another measurement.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="measured">The names of the options that the session measures.</param>
    /// <returns>The name of the option; null if there is none.</returns>
    public string? FindUnmeasured(ParseResult parsed, IReadOnlyCollection<string> measured) =>
        All.FirstOrDefault(option => parsed.GetResult(option) is { Implicit: false } && !measured.Contains(option.Name))?.Name;

    public SessionOptions Read(ParseResult parsed, SessionOptions defaults) => defaults with
    {
        PayloadBytes = parsed.GetValue(_payload),
        Producers = parsed.GetValue(_producers),
        Consumers = parsed.GetValue(_consumers),
        Mode = parsed.GetValue(_mode),
        HasSingleProducer = parsed.GetValue(_singleProducer),
        HasStamps = parsed.GetValue(_stamps),
        MessagesPerBatch = parsed.GetValue(_batch),
        MessagesPerCommit = parsed.GetValue(_perCommit),
        IsGroup = parsed.GetValue(_group),
        HasWarmPages = parsed.GetValue(_pages) == "warm",
        Flush = parsed.GetValue(_flush),
        Wait = parsed.GetValue(_wait),
        Rate = parsed.GetValue(_rate),
        Slots = parsed.GetValue(_slots),
        SegmentBytes = parsed.GetValue(_segment),
        Directory = parsed.GetRequiredValue(_directory),
        Messages = parsed.GetValue(_messages),
        Rounds = parsed.GetValue(_rounds),
        Warmup = parsed.GetValue(_warmup) is { } warmup ? TimeSpan.FromSeconds(warmup) : defaults.Warmup,
        RoundTime = parsed.GetValue(_seconds) is { } seconds ? TimeSpan.FromSeconds(seconds) : defaults.RoundTime,
        Cases = parsed.GetValue(_cases)?.Split(',') ?? [],
        Shapes = parsed.GetValue(_shapes)?.Split(',') ?? [],
        JsonFile = parsed.GetValue(_json),
        Flow = parsed.GetRequiredValue(_flow),
        IsPinned = parsed.GetValue(_pinned),
    };
}
