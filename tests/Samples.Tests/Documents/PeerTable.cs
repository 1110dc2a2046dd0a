using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Makes the tables of docs/peers.md from the committed results of <c>benchmarks/Toolkit.Peers</c>.</summary>
internal static class PeerTable
{
    public const string ResultFile = "peers.json";

    private const string Ours = "BufferedMessages";
    private const int RevisionLength = 7;

    public static string Make()
    {
        using var json = JsonDocument.Parse(Repository.Read($"benchmarks/results/{ResultFile}"));
        var run = json.RootElement;
        var results = run.GetProperty("results").EnumerateArray().ToList();
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{Text(run, "machine")}; commit {Text(run, "commit")}; [{ResultFile}](../benchmarks/results/{ResultFile}).\n\n");
        AppendTable(text, "a message with 30 nested ones", ["write", "read", "bytes allocated by a read"], results, ["message, write", "message, read"], static rows =>
            [Time(rows[0], "median_ns"), Time(rows[1], "median_ns"), Number(rows[1], "allocated_bytes")]);
        AppendTable(text, "a stream of 64 KB", ["write and give back", "bytes allocated"], results, ["stream of 64 KB"], static rows => [Time(rows[0], "median_ns"), Number(rows[0], "allocated_bytes")]);
        AppendTable(text, "messages of 64 B between processes", ["a second", "round trip p50", "p99"], results, ["64 B between processes"], Queue);
        AppendTable(text, "the same between threads of a process", ["a second", "round trip p50", "p99"], results, ["64 B within a process"], Queue);
        AppendTable(text, "a cache of 100,000 entries of 100 B, one thread", ["reads a second", "writes a second", "bytes allocated by a read"], results, ["cache, read", "cache, write"], static rows =>
            [Number(rows[0], "per_second"), Number(rows[1], "per_second"), Number(rows[0], "allocated_bytes")]);
        text.Append("Where it is slower:\n\n");
        foreach (var loss in LossesOf(results))
        {
            text.Append(CultureInfo.InvariantCulture, $"- {loss}.\n");
        }

        return text.ToString();
    }

    private static void AppendTable(StringBuilder text, string title, string[] columns, List<JsonElement> results, string[] workloads, Func<List<JsonElement>, string[]> cells)
    {
        text.Append(CultureInfo.InvariantCulture, $"| {title} | {string.Join(" | ", columns)} | version |\n|---|{string.Concat(columns.Select(static _ => "---:|"))}---|\n");
        foreach (var library in results.Where(result => Text(result, "workload") == workloads[0]).Select(static result => Text(result, "library")))
        {
            var rows = workloads.Select(workload => results.Single(result => Text(result, "workload") == workload && Text(result, "library") == library)).ToList();
            text.Append(CultureInfo.InvariantCulture, $"| {library} | {string.Join(" | ", cells(rows))} | {Version(rows[0])} |\n");
        }

        text.Append('\n');
    }

    private static string[] Queue(List<JsonElement> rows) => [Number(rows[0], "per_second"), Time(rows[0], "round_trip_p50_ns"), Time(rows[0], "round_trip_p99_ns")];

    // For each of ours, since a durable queue and a bounded one are two answers.
    private static List<string> LossesOf(List<JsonElement> results)
    {
        var losses =
            from result in results
            from figure in (string[])["median_ns", "per_second", "round_trip_p50_ns", "round_trip_p99_ns"]
            where result.TryGetProperty(figure, out _) && !IsOurs(result)
            from ours in results.Where(ours => IsOurs(ours) && Text(ours, "workload") == Text(result, "workload"))
            let ratio = figure == "per_second" ? Value(ours, figure) / Value(result, figure) : Value(result, figure) / Value(ours, figure)
            where ratio < 1
            select Format($"{Text(ours, "workload")}{NameOf(figure)}: {Text(ours, "library")} has {ratio:0.00} of the speed of {Text(result, "library")}");
        return [.. losses.DefaultIfEmpty("nowhere in these tables")];
    }

    private static bool IsOurs(JsonElement result) => Text(result, "library").StartsWith(Ours, StringComparison.Ordinal);

    private static string NameOf(string figure) => figure switch { "round_trip_p50_ns" => ", round trip p50", "round_trip_p99_ns" => ", round trip p99", _ => "" };

    private static string Version(JsonElement result)
    {
        var version = Text(result, "version");
        var revision = version.IndexOf('+', StringComparison.Ordinal);
        return revision < 0 ? version : version[..Math.Min(version.Length, revision + 1 + RevisionLength)];
    }

    private static string Time(JsonElement result, string name) => Value(result, name) switch
    {
        < 1_000 and var nanoseconds => Format($"{nanoseconds:N0} ns"),
        < 1_000_000 and var nanoseconds => Format($"{nanoseconds / 1_000:N1} us"),
        var nanoseconds => Format($"{nanoseconds / 1_000_000:N1} ms"),
    };

    private static string Number(JsonElement result, string name) => Format($"{Value(result, name):N0}");

    private static double Value(JsonElement result, string name) => result.GetProperty(name).GetDouble();

    private static string Text(JsonElement element, string name) => element.GetProperty(name).GetString()!;

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
