using System.Text.Json;
using System.Text.Json.Serialization;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>Shows a case as a short table, and writes all of them to a file with the machine, the commit and the command.</summary>
internal static class SteadyReport
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        WriteIndented = true,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    public static void Show(string scenario, IReadOnlyList<SteadyResult> results)
    {
        string[] ratios = [.. results.SelectMany(result => result.Ratios.Keys).Distinct(StringComparer.Ordinal)];
        var hasTimes = results.Any(result => result.P50Ns is not null);
        Console.WriteLine();
        Row(scenario, [.. hasTimes ? ["p50", "p99", "p99.9", "floor", "p99", "p99.9"] : new[] { "M/s", "ns", "B" }, .. ratios]);
        foreach (var result in results)
        {
            string[] figures = hasTimes
                ? [Report.Time(result.P50Ns), Report.Time(result.P99Ns), Report.Time(result.P999Ns), Report.Time(result.FloorP50Ns), Report.Time(result.FloorP99Ns), Report.Time(result.FloorP999Ns)]
                : [Report.Number(result.MessagesPerSecond / 1e6, "N2"), Report.Number(1e9 / result.MessagesPerSecond, "N1"), Report.Number(result.AllocatedBytesPerMessage, "0.#")];
            Row(result.Name, [.. figures, .. ratios.Select(ratio => result.Ratios.TryGetValue(ratio, out var value) ? Report.Number(value, "0.00") : "")]);
        }
    }

    public static void Write(string file, string command, SessionOptions options, IReadOnlyList<SteadyResult> results)
    {
        var run = new
        {
            Command = command,
            Commit = Machine.Commit(),
            Machine = Machine.Name(),
            options.Rounds,
            Results = results,
        };
        File.WriteAllText(file, JsonSerializer.Serialize(run, Format) + "\n");
    }

    private static void Row(string name, string[] cells) =>
        Console.WriteLine($"{name,-44}{string.Concat(cells.Select(cell => cell.PadLeft(Math.Max(11, cell.Length + 2))))}".TrimEnd());
}
