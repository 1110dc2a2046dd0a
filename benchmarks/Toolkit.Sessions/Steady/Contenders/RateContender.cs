using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>A way that is measured in messages per second.</summary>
internal abstract class RateContender(string name, SessionOptions options) : Contender(name)
{
    private const long FirstMessages = 10_000;
    private const long LongestRoundBytes = 512 * 1024 * 1024;

    private readonly List<FlowFigure> _figures = [];
    private readonly List<(string Name, Func<int, double> OfRound)> _comparisons = [];

    /// <summary>Messages of a round.</summary>
    protected long Messages { get; private set; } = options.Messages ?? FirstMessages;

    /// <summary>Messages that come before those that are counted: a bounded queue is taken around once, so that its pages are there.</summary>
    protected long Lap { get; } = LapOf(options);

    protected SessionOptions Options => options;

    public double RateOf(int round) => _figures[round].Rate;

    /// <summary>Adds a ratio to a rate of the same round.</summary>
    public RateContender ComparedWith(string ratio, Func<int, double> rateOfRound)
    {
        _comparisons.Add((ratio, rateOfRound));
        return this;
    }

    public override void Warm()
    {
        var start = Stopwatch.GetTimestamp();
        do
        {
            var rate = Measure().Rate;
            Messages = options.Messages ?? Math.Clamp((long)(rate * options.RoundTime.TotalSeconds), FirstMessages, LongestRoundBytes / options.RecordBytes);
        }
        while (Stopwatch.GetElapsedTime(start) < options.Warmup);
    }

    public override void Run() => _figures.Add(Measure());

    public override SteadyResult Sum(string scenario) => new(scenario, Name)
    {
        MessageBytes = options.PayloadBytes,
        MessagesPerSecond = Figures.Median(_figures.Select(figure => figure.Rate)),
        AllocatedBytesPerMessage = Figures.Median(_figures.Select(figure => figure.AllocatedBytes)),
        Ratios = _comparisons.ToDictionary(
            comparison => comparison.Name,
            comparison => Figures.Median(_figures.Select((figure, round) => figure.Rate / comparison.OfRound(round))),
            StringComparer.Ordinal),
    };

    protected abstract FlowFigure Measure();

    // What is deleted must have begun to be: the first segments are full.
    private static long LapOf(SessionOptions options)
    {
        var bytes = options.Mode == QueueMode.Bounded ? options.RingBytes : options.DeletesRead ? 2 * SessionOptions.DurableSegmentBytes : 0;
        return options.Messages ?? Math.Max(bytes / (16 + options.PayloadBytes), FirstMessages);
    }
}

/// <summary>Publisher and reader at once.</summary>
internal sealed class PairContender(string name, FlowPair pair, SessionOptions options) : RateContender(name, options)
{
    public override void Dispose() => pair.Dispose();

    protected override FlowFigure Measure() => pair.Run(Lap, Messages);
}

/// <summary>The publisher of a pair alone.</summary>
internal sealed class PublisherContender(string name, FlowPair pair, SessionOptions options) : RateContender(name, options)
{
    public override void Dispose() => pair.Dispose();

    protected override FlowFigure Measure() => pair.RunPublisher(Messages);
}

/// <summary>The reader of a pair alone.</summary>
internal sealed class ReaderContender(string name, FlowPair pair, SessionOptions options) : RateContender(name, options)
{
    public override void Dispose() => pair.Dispose();

    protected override FlowFigure Measure() => pair.RunReader(Messages);
}

/// <summary>The first messages of two new processes: they have published and read nothing.</summary>
internal sealed class FirstContender(string name, SessionOptions options) : RateContender(name, options)
{
    private const long FirstMessages = 1_000_000;

    public override void Warm()
    {
    }

    public override void Dispose()
    {
    }

    protected override FlowFigure Measure()
    {
        using var pair = new FlowPair(Options);
        return pair.RunFirst(Options.Messages ?? FirstMessages);
    }
}
