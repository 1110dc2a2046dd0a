namespace BufferedMessages.Sessions;

/// <summary>A way that is measured in times, each round beside its floor.</summary>
/// <param name="name">Its name.</param>
/// <param name="pair">Its processes.</param>
/// <param name="options">Their options.</param>
/// <param name="times">Times to measure in a round.</param>
/// <param name="messages">Messages of a round whose bytes are counted.</param>
/// <param name="hasFloor">The machine has what the floor needs.</param>
internal sealed class TimeContender(string name, PairSession pair, SessionOptions options, long times, long messages, bool hasFloor = true) : Contender(name)
{
    private static readonly string[] Quantiles = ["p50", "p90", "p99", "p99.9"];

    private readonly List<PairSession.Round> _rounds = [];

    public override void Warm() => pair.Warm(times, hasFloor);

    public override void Run() => _rounds.Add(pair.RunRound(times, hasFloor));

    public override SteadyResult Sum(string scenario) => new(scenario, Name)
    {
        MessageBytes = options.PayloadBytes,
        P50Ns = Median(0, round => round.Quantiles),
        P99Ns = Median(2, round => round.Quantiles),
        P999Ns = Median(3, round => round.Quantiles),
        FloorP50Ns = hasFloor ? Median(0, round => round.Floors!) : null,
        FloorP99Ns = hasFloor ? Median(2, round => round.Floors!) : null,
        FloorP999Ns = hasFloor ? Median(3, round => round.Floors!) : null,
        AllocatedBytesPerMessage = Figures.Median(_rounds.Select(round => (double)round.AllocatedBytes / messages)),
        Ratios = hasFloor
            ? new[] { 0, 2, 3 }.ToDictionary(
                quantile => $"{Quantiles[quantile]} of the floor's",
                quantile => Figures.Median(_rounds.Select(round => (double)round.Quantiles[quantile] / round.Floors![quantile])),
                StringComparer.Ordinal)
            : [],
    };

    public override void Dispose() => pair.Dispose();

    private long Median(int quantile, Func<PairSession.Round, long[]> quantilesOf) => Figures.Median(_rounds.Select(round => quantilesOf(round)[quantile]));
}
