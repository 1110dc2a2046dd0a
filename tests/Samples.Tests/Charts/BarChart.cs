using System.Globalization;
using System.Security;
using System.Text;

namespace BufferedMessages.Samples.Tests.Charts;

/// <summary>A bar of a chart.</summary>
/// <param name="Label">The library.</param>
/// <param name="Value">Its length, in the unit of its group.</param>
/// <param name="Text">The figure, as it is written beside the bar.</param>
internal sealed record Bar(string Label, double Value, string Text)
{
    /// <summary>Whether it is a figure of this project.</summary>
    public bool IsOurs => Label.StartsWith("BufferedMessages", StringComparison.Ordinal);
}

/// <summary>Bars of one unit, which share a scale.</summary>
internal sealed record BarGroup(string Name, IReadOnlyList<Bar> Bars);

/// <summary>A chart of horizontal bars as SVG text. The same chart gives the same text.</summary>
/// <param name="Title">The line above the bars: the operation, and which direction is better.</param>
/// <param name="Source">The line below the bars: machine, commit and result file.</param>
/// <param name="Groups">The groups, from top to bottom.</param>
internal sealed record BarChart(string Title, string Source, IReadOnlyList<BarGroup> Groups)
{
    private const int Width = 760;
    private const int Margin = 16;
    private const int BarsStart = 190;
    private const int LongestBar = 430;
    private const int RowHeight = 22;
    private const int BarHeight = 14;
    private const int GroupHeight = 30;
    private const int TitleHeight = 40;
    private const int SourceHeight = 30;

    /// <summary>Draws the chart for one of the two backgrounds.</summary>
    public string Draw(ChartColours colours)
    {
        var height = TitleHeight + Groups.Sum(static group => GroupHeight + (group.Bars.Count * RowHeight)) + SourceHeight;
        var text = new StringBuilder();
        Append(text, $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{Width}\" height=\"{height}\" viewBox=\"0 0 {Width} {height}\" role=\"img\" aria-label=\"{Escape(Title)}\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n");
        Append(text, $"<rect width=\"{Width}\" height=\"{height}\" rx=\"6\" fill=\"{colours.Background}\"/>\n");
        Append(text, $"<text x=\"{Margin}\" y=\"26\" font-size=\"15\" font-weight=\"600\" fill=\"{colours.Text}\">{Escape(Title)}</text>\n");
        var y = TitleHeight;
        foreach (var group in Groups)
        {
            AppendGroup(text, group, y, colours);
            y += GroupHeight + (group.Bars.Count * RowHeight);
        }

        Append(text, $"<text x=\"{Margin}\" y=\"{y + 20}\" font-size=\"11\" fill=\"{colours.Faint}\">{Escape(Source)}</text>\n</svg>\n");
        return text.ToString();
    }

    private static void AppendGroup(StringBuilder text, BarGroup group, int top, ChartColours colours)
    {
        var longest = group.Bars.Max(static bar => bar.Value);
        Append(text, $"<text x=\"{Margin}\" y=\"{top + 18}\" font-size=\"13\" fill=\"{colours.Faint}\">{Escape(group.Name)}</text>\n");
        var y = top + GroupHeight;
        foreach (var bar in group.Bars)
        {
            // A bar that is too short to see is still there.
            var length = Math.Max(1.5, bar.Value / longest * LongestBar);
            var weight = bar.IsOurs ? " font-weight=\"600\"" : "";
            Append(text, $"<text x=\"{BarsStart - 8}\" y=\"{y + 12}\" font-size=\"12\" text-anchor=\"end\"{weight} fill=\"{colours.Text}\">{Escape(bar.Label)}</text>");
            Append(text, $"<rect x=\"{BarsStart}\" y=\"{y}\" width=\"{length:0.#}\" height=\"{BarHeight}\" rx=\"2\" fill=\"{(bar.IsOurs ? colours.Ours : colours.Others)}\"/>");
            Append(text, $"<text x=\"{BarsStart + length + 6:0.#}\" y=\"{y + 12}\" font-size=\"12\"{weight} fill=\"{colours.Text}\">{Escape(bar.Text)}</text>\n");
            y += RowHeight;
        }
    }

    private static void Append(StringBuilder text, FormattableString line) => text.Append(line.ToString(CultureInfo.InvariantCulture));

    private static string Escape(string text) => SecurityElement.Escape(text);
}
