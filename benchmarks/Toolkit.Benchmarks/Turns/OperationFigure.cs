namespace Toolkit.Benchmarks.Turns;

/// <summary>The cost of one operation.</summary>
/// <param name="Nanoseconds">Its time.</param>
/// <param name="AllocatedBytes">The managed memory that it leaves to the garbage collector.</param>
public readonly record struct OperationFigure(double Nanoseconds, double AllocatedBytes)
{
    /// <summary>Takes the median of each.</summary>
    public static OperationFigure MedianOf(IReadOnlyCollection<OperationFigure> figures) =>
        new(MedianOf(figures.Select(static figure => figure.Nanoseconds)), MedianOf(figures.Select(static figure => figure.AllocatedBytes)));

    private static double MedianOf(IEnumerable<double> values)
    {
        var sorted = values.Order().ToList();
        return sorted[sorted.Count / 2];
    }
}
