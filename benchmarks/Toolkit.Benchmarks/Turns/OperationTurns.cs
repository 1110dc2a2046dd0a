using System.Diagnostics;

namespace Toolkit.Benchmarks.Turns;

/// <summary>Measures operations on one thread, in turns: in each round all take their turn, so that a minute in which the machine is slow does not fall on one of them.</summary>
public static class OperationTurns
{
    private const int Rounds = 15;

    // Until the runtime has compiled all of them again by the counts of their calls.
    private const int WarmUps = 40;
    private const int LeastRepetitions = 8;
    private static readonly TimeSpan RoundTime = TimeSpan.FromSeconds(0.02);

    /// <summary>Measures the operations in rounds, of which the medians count. The time of a call that does nothing is subtracted.</summary>
    /// <param name="operations">The operations.</param>
    /// <param name="stopping">Ends the run.</param>
    /// <exception cref="OperationCanceledException">The run was stopped.</exception>
    public static IReadOnlyList<OperationFigure> Run(IReadOnlyList<RepeatedOperation> operations, CancellationToken stopping)
    {
        IReadOnlyList<RepeatedOperation> all = [RepeatedOperation.Of(static () => 0L), .. operations];
        var figures = all.Select(static _ => new List<OperationFigure>()).ToList();
        var counts = all.Select(CountOf).ToList();
        for (var round = 0; round < WarmUps + Rounds; round++)
        {
            for (var i = 0; i < all.Count; i++)
            {
                stopping.ThrowIfCancellationRequested();
                var figure = Measure(all[i], counts[i]);
                if (round >= WarmUps)
                {
                    figures[i].Add(figure);
                }
            }
        }

        var idle = OperationFigure.MedianOf(figures[0]).Nanoseconds;
        return [.. figures.Skip(1).Select(OperationFigure.MedianOf).Select(figure => figure with { Nanoseconds = Math.Max(0, figure.Nanoseconds - idle) })];
    }

    private static long CountOf(RepeatedOperation operation)
    {
        var count = 1L;
        while (true)
        {
            var start = Stopwatch.GetTimestamp();
            operation.Repeat(count);
            var elapsed = Stopwatch.GetElapsedTime(start);
            if (elapsed > RoundTime / 4)
            {
                return Math.Max(LeastRepetitions, (long)(count * (RoundTime / elapsed)));
            }

            count *= 2;
        }
    }

    private static OperationFigure Measure(RepeatedOperation operation, long count)
    {
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        operation.Repeat(count);
        var elapsed = Stopwatch.GetElapsedTime(start);
        return new OperationFigure(elapsed.TotalNanoseconds / count, (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / count);
    }
}
