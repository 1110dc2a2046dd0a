namespace BufferedMessages.Tool;

/// <summary>A row of bars, one character each, for the values of a span of time.</summary>
internal static class Sparkline
{
    private const string Bars = "▁▂▃▄▅▆▇█";

    /// <summary>Draws values. The largest one has a whole bar, and 0 the smallest one.</summary>
    /// <param name="values">The values, the oldest first.</param>
    /// <param name="width">The number of characters. Places before the oldest value stay empty.</param>
    public static string Of(IReadOnlyList<double> values, int width)
    {
        var shown = values.Skip(Math.Max(values.Count - width, 0)).ToList();
        var largest = shown.Count == 0 ? 0 : shown.Max();
        return new string(' ', width - shown.Count) + string.Concat(shown.Select(value => Bars[largest > 0 ? Math.Clamp((int)Math.Ceiling(value / largest * (Bars.Length - 1)), 0, Bars.Length - 1) : 0]));
    }
}
