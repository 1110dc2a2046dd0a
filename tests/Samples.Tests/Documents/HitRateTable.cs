using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Makes the table of hit rates from the committed results of <c>benchmarks/Toolkit.Caching -- rates</c>.</summary>
internal static class HitRateTable
{
    public const string ResultFile = "hitrates.json";

    private const string Folder = "benchmarks/results";

    public static string Make()
    {
        using var json = JsonDocument.Parse(File.ReadAllText(Repository.PathOf(Path.Combine(Folder, ResultFile))));
        var run = json.RootElement;
        var rates = run.GetProperty("results").EnumerateArray().ToList();
        var policies = rates.Select(rate => Text(rate, "policy")).Distinct().ToList();
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"`{Text(run, "command")}`; commit {Text(run, "commit")}; [{ResultFile}](../{Folder}/{ResultFile}).\n\n");
        text.Append(CultureInfo.InvariantCulture, $"| trace | {string.Join(" | ", policies)} |\n|---|{string.Concat(policies.Select(static _ => "---:|"))}\n");
        foreach (var trace in rates.GroupBy(rate => Text(rate, "trace")))
        {
            var cells = policies.Select(policy => Cell(trace.Where(rate => Text(rate, "policy") == policy)));
            text.Append(CultureInfo.InvariantCulture, $"| {trace.Key} | {string.Join(" | ", cells)} |\n");
        }

        return text.ToString();
    }

    private static string Cell(IEnumerable<JsonElement> rates) =>
        string.Join(" / ", rates.Select(rate => rate.GetProperty("hit_percent").GetDouble().ToString("F1", CultureInfo.InvariantCulture)));

    private static string Text(JsonElement element, string name) => element.GetProperty(name).GetString()!;
}
