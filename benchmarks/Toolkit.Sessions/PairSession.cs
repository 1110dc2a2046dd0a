using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>Two processes that take turns, for a number of rounds; one of them answers with the times it has measured, in quantiles.</summary>
internal sealed class PairSession : IDisposable
{
    private readonly SessionOptions _options;
    private readonly string[] _queues;
    private readonly PeerProcess _first;
    private readonly PeerProcess _measuring;
    private long _round;

    /// <param name="firstRole">The peer that waits for the other; it begins.</param>
    /// <param name="measuringRole">The peer that measures.</param>
    /// <param name="queues">Names of the queues of a round.</param>
    /// <param name="options">With the session's own directory.</param>
    public PairSession(string firstRole, string measuringRole, string[] queues, SessionOptions options)
    {
        _options = options;
        _queues = queues;
        _first = PeerProcess.Start(firstRole, options);
        _measuring = PeerProcess.Start(measuringRole, options);
    }

    /// <summary>Runs rounds that are not counted.</summary>
    public void Warm(long messages, bool hasFloor)
    {
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < _options.Warmup)
        {
            RunRound(messages, hasFloor);
        }
    }

    /// <summary>Runs the rounds, floor and queue in turns.</summary>
    /// <param name="messages">Times to measure in a round.</param>
    /// <param name="hasFloor">The machine has what the floor needs.</param>
    public List<Round> Run(long messages, bool hasFloor)
    {
        Warm(messages, hasFloor);

        var rounds = new List<Round>();
        while (rounds.Count < _options.Rounds)
        {
            var round = RunRound(messages, hasFloor);
            rounds.Add(round);
            Report.Progress($"round {rounds.Count}: p50 {Report.Time(round.Quantiles[0])}, floor {Report.Time(round.Floor)}, ratio {Report.Number(round.Ratio, "0.00")}");
        }

        return rounds;
    }

    /// <summary>What the rounds come to.</summary>
    /// <param name="result">Takes the figures.</param>
    /// <param name="messages">Messages of a round whose bytes were counted.</param>
    /// <param name="rounds">The rounds.</param>
    public static SessionResult Summarise(SessionResult result, long messages, List<Round> rounds) => result with
    {
        P50 = MedianOf(rounds, 0),
        P90 = MedianOf(rounds, 1),
        P99 = MedianOf(rounds, 2),
        P999 = MedianOf(rounds, 3),
        Max = rounds.Max(round => round.Quantiles[4]),
        AllocatedBytesPerMessage = rounds.Sum(round => (double)round.AllocatedBytes) / ((double)messages * rounds.Count),
        FloorNs = rounds[0].Floor is null ? null : Figures.Median(rounds.Select(round => round.Floor!.Value)),
        FloorP999 = rounds[0].Floors is null ? null : Figures.Median(rounds.Select(round => round.Floors![3])),
        FloorRatio = rounds[0].Floor is null ? null : Figures.Median(rounds.Select(round => round.Ratio!.Value)),
    };

    public void Dispose()
    {
        _measuring.Dispose();
        _first.Dispose();
    }

    private static long MedianOf(List<Round> rounds, int quantile) => Figures.Median(rounds.Select(round => round.Quantiles[quantile]));

    /// <summary>Runs a round: the floor, then the queue.</summary>
    public Round RunRound(long messages, bool hasFloor)
    {
        var round = _round++;
        var floor = hasFloor ? RunPart(PeerProcess.FloorOrder, round, messages).Measured[..5] : null;
        foreach (var queue in _queues)
        {
            SessionDirectory.CreateQueue(_options, round, queue);
        }

        var (first, measured) = RunPart(PeerProcess.QueueOrder, round, messages);
        foreach (var queue in _queues)
        {
            SessionDirectory.DeleteQueue(_options, round, queue);
        }

        return new Round(measured[..5], floor, measured[5] + first[0]);
    }

    // Answers of the first: allocated bytes; of the measuring one: five quantiles and allocated bytes.
    private (long[] First, long[] Measured) RunPart(long order, long round, long messages)
    {
        PeerProcess[] peers = [_first, _measuring];
        Array.ForEach(peers, peer => peer.Order(order, round, messages));
        Array.ForEach(peers, peer => peer.Hear());
        Array.ForEach(peers, peer => peer.Order());
        return (_first.Hear(), _measuring.Hear());
    }

    /// <param name="Quantiles">p50, p90, p99, p99.9 and the largest, in nanoseconds.</param>
    /// <param name="Floors">The floor's, likewise; null when it was not measured.</param>
    /// <param name="AllocatedBytes">By both sides.</param>
    internal sealed record Round(long[] Quantiles, long[]? Floors, long AllocatedBytes)
    {
        public long? Floor => Floors?[0];

        public double? Ratio => (double)Quantiles[0] / Floor;
    }
}
