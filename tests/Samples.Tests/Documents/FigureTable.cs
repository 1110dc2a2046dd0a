using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Makes the tables of the pages of performance from results that name their own figures and ratios: one for each case of a file.</summary>
internal static class FigureTable
{
    private const string Folder = "benchmarks/results";

    // A longer table is divided by the shape of the queue.
    private const int MostRows = 14;

    private static readonly (string Name, string Head, Func<double, string> Show)[] Figures =
    [
        ("messages_per_second", "messages a second", static value => Format($"{value:N0}")),
        ("p50_ns", "p50", Time),
        ("p99_ns", "p99", Time),
        ("p999_ns", "p99.9", Time),
        ("floor_p50_ns", "floor's p50", Time),
        ("floor_p99_ns", "floor's p99", Time),
        ("floor_p999_ns", "floor's p99.9", Time),
        ("milliseconds", "whole", Milliseconds),
        ("above_empty_milliseconds", "above an empty program", Milliseconds),
        ("open_milliseconds", "open", Milliseconds),
        ("join_milliseconds", "producer or consumer", Milliseconds),
        ("first_message_milliseconds", "message", Milliseconds),
    ];

    /// <summary>Whether it makes the tables of a file.</summary>
    public static bool Knows(string file) => file is "steady.json" or "cold.json";

    public static string MakeOf(string file)
    {
        var path = Path.Combine(Repository.PathOf(Folder), file);
        if (!File.Exists(path))
        {
            return "No results are committed yet.\n";
        }

        using var json = JsonDocument.Parse(File.ReadAllText(path));
        var run = json.RootElement;
        var text = new StringBuilder();
        text.Append(Format($"Medians of {run.GetProperty("rounds").GetInt32()} rounds; {run.GetProperty("machine").GetString()}; commit {run.GetProperty("commit").GetString()}; [{file}](../{Folder}/{file}).\n"));
        foreach (var scenario in run.GetProperty("results").EnumerateArray().GroupBy(static result => result.GetProperty("case").GetString()!, StringComparer.Ordinal))
        {
            var results = scenario.ToList();
            foreach (var table in results.Count > MostRows ? results.GroupBy(ShapeOf, StringComparer.Ordinal).Select(static shape => shape.ToList()) : [results])
            {
                Append(text, scenario.Key, table);
            }
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string scenario, List<JsonElement> results)
    {
        var figures = Figures.Where(figure => results.Exists(result => result.TryGetProperty(figure.Name, out _))).ToList();
        var ratios = results.SelectMany(RatiosOf).Select(static ratio => ratio.Name).Distinct(StringComparer.Ordinal).ToList();
        string[] heads = [.. figures.Select(static figure => figure.Head), .. ratios];
        text.Append(Format($"\n| {scenario} | {string.Join(" | ", heads)} |\n|---|{string.Concat(heads.Select(static _ => "---:|"))}\n"));
        foreach (var result in results)
        {
            var cells = figures.Select(figure => result.TryGetProperty(figure.Name, out var value) ? figure.Show(value.GetDouble()) : "")
                .Concat(ratios.Select(name => RatiosOf(result).Where(ratio => ratio.Name == name).Select(static ratio => Format($"{ratio.Value.GetDouble():N2}")).FirstOrDefault("")));
            text.Append(Format($"| {result.GetProperty("name").GetString()} | {string.Join(" | ", cells)} |\n"));
        }
    }

    private static string ShapeOf(JsonElement result) => result.GetProperty("name").GetString()!.Split(',')[0];

    private static IEnumerable<JsonProperty> RatiosOf(JsonElement result) => result.TryGetProperty("ratios", out var ratios) ? ratios.EnumerateObject() : [];

    // In the unit that suits it.
    private static string Time(double nanoseconds) => nanoseconds switch
    {
        < 1_000 => Format($"{nanoseconds:N0} ns"),
        < 1_000_000 => Format($"{nanoseconds / 1_000:N1} us"),
        _ => Format($"{nanoseconds / 1_000_000:N1} ms"),
    };

    private static string Milliseconds(double value) => Format($"{value:N1} ms");

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
