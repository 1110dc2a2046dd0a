namespace BufferedMessages.Running;

/// <summary>The medians of the rounds of a run.</summary>
internal static class Medians
{
    /// <summary>The figure in the middle; of an even number the mean of the two in the middle.</summary>
    public static double Of(IEnumerable<double> figures)
    {
        var sorted = figures.Order().ToList();
        return (sorted[(sorted.Count - 1) / 2] + sorted[sorted.Count / 2]) / 2;
    }
}
