using System.Diagnostics;

namespace BufferedMessages.Peers;

/// <summary>Measures operations on one thread, in turns.</summary>
internal static class OperationMeasurement
{
    private const int Rounds = 15;
    // Until the runtime has compiled all of them again by the counts of their calls.
    private const int Warmup = 40;
    private static readonly TimeSpan RoundTime = TimeSpan.FromSeconds(0.03);

    /// <summary>The operations in rounds, of which the medians count.</summary>
    public static IReadOnlyList<PeerFigure> Run(string workload, IReadOnlyList<(string Library, string Version, Func<long> Operation)> peers)
    {
        var figures = peers.Select(static _ => new List<(double Nanoseconds, double Bytes)>()).ToList();
        var counts = peers.Select(static peer => CountOf(peer.Operation)).ToList();
        for (var round = 0; round < Warmup + Rounds; round++)
        {
            for (var i = 0; i < peers.Count; i++)
            {
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                var figure = Measure(peers[i].Operation, counts[i]);
                if (round >= Warmup)
                {
                    figures[i].Add(figure);
                }
            }
        }

        return
        [
            .. peers.Select((peer, i) => new PeerFigure
            {
                Workload = workload,
                Library = peer.Library,
                Version = peer.Version,
                Median = Math.Round(figures[i].Select(static figure => figure.Nanoseconds).Order().ElementAt(Rounds / 2), 1),
                AllocatedBytes = Math.Round(figures[i].Select(static figure => figure.Bytes).Order().ElementAt(Rounds / 2), 1),
            }),
        ];
    }

    private static long CountOf(Func<long> operation)
    {
        var count = 1L;
        while (true)
        {
            var start = Stopwatch.GetTimestamp();
            Repeat(operation, count);
            var elapsed = Stopwatch.GetElapsedTime(start);
            if (elapsed > RoundTime / 4)
            {
                return Math.Max(1, (long)(count * (RoundTime / elapsed)));
            }

            count *= 2;
        }
    }

    private static (double Nanoseconds, double Bytes) Measure(Func<long> operation, long count)
    {
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        Repeat(operation, count);
        var elapsed = Stopwatch.GetElapsedTime(start);
        return (elapsed.TotalNanoseconds / count, (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / count);
    }

    private static long Repeat(Func<long> operation, long count)
    {
        var sum = 0L;
        for (var i = 0L; i < count; i++)
        {
            sum += operation();
        }

        return sum;
    }
}
