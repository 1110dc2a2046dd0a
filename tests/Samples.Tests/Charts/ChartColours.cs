namespace BufferedMessages.Samples.Tests.Charts;

/// <summary>The colours of a chart.</summary>
internal sealed record ChartColours(string Name, string Background, string Text, string Faint, string Ours, string Others)
{
    /// <summary>Those for a light page, and those for a dark one.</summary>
    public static IReadOnlyList<ChartColours> All { get; } =
    [
        new("light", "#ffffff", "#1f2328", "#59636e", "#0969da", "#b6bec7"),
        new("dark", "#0d1117", "#e6edf3", "#9198a1", "#4493f8", "#3d444d"),
    ];
}
