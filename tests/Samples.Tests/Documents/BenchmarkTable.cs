using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Makes the benchmark tables of documents from the committed result files.</summary>
internal static class BenchmarkTable
{
    private const string Ours = "BufferedMessages";
    private const string Folder = "benchmarks/results";
    private const string MessagesFile = "messages.json";
    private const string WithoutRules = nameof(WithoutRules);

    // A table of more rows is divided, because people do not read it.
    private const int MaxRows = 14;

    // Longer times are shown in microseconds.
    private const double MaxNanoseconds = 50_000;

    // Below this a tenth is seen.
    private const double MinWholeNanoseconds = 30;

    /// <summary>README's table: three messages, written and read.</summary>
    public static string Make() => Make(Repository.PathOf(Folder));

    public static string Make(string folder)
    {
        var text = new StringBuilder();
        AppendRun(text, folder, MessagesFile, Folder, static result => ScenarioOf(result) is "Order" or "AccessLog" or "Catalogue" && (OperationOf(result) is "Write" or "Read"));
        return OrNothing(text);
    }

    /// <summary>The table of one result file, for docs/performance.md.</summary>
    /// <param name="file">Name of the file in benchmarks/results.</param>
    public static string MakeOf(string file) => MakeOf(Repository.PathOf(Folder), file);

    public static string MakeOf(string folder, string file)
    {
        var text = new StringBuilder();
        AppendRun(text, folder, file, "../" + Folder, static _ => true);
        return OrNothing(text);
    }

    private static string OrNothing(StringBuilder text) => text.Length == 0 ? "No results are committed yet.\n" : text.ToString();

    private static void AppendRun(StringBuilder text, string folder, string file, string link, Func<JsonElement, bool> isShown)
    {
        if (!File.Exists(Path.Combine(folder, file)))
        {
            return;
        }

        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, file)));
        var run = json.RootElement;
        text.Append(CultureInfo.InvariantCulture, $"Median time and managed bytes per operation; {run.GetProperty("machine").GetString()}; commit {run.GetProperty("commit").GetString()}; [{file}]({link}/{file}).\n\n");
        var losses = new List<string>();
        var sizes = run.TryGetProperty("sizes", out var all) ? all.EnumerateObject().ToDictionary(size => size.Name, size => size.Value, StringComparer.Ordinal) : [];

        // A table for all scenarios that have the same libraries.
        var scenarios = run.GetProperty("results").EnumerateArray().Where(isShown).GroupBy(ScenarioOf, StringComparer.Ordinal);
        foreach (var table in scenarios.GroupBy(scenario => string.Join(',', scenario.Select(LibraryOf).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)), StringComparer.Ordinal))
        {
            AppendTable(text, [.. table.SelectMany(scenario => scenario)], sizes, losses);
        }

        AppendRules(text, [.. run.GetProperty("results").EnumerateArray().Where(isShown)]);
        text.Append(CultureInfo.InvariantCulture, $"Where it loses: {(losses.Count == 0 ? "nowhere in these tables" : string.Join("; ", losses))}.\n");
    }

    private static void AppendTable(StringBuilder text, List<JsonElement> results, Dictionary<string, JsonElement> sizes, List<string> losses)
    {
        var libraries = results.Select(LibraryOf).Distinct(StringComparer.Ordinal)
            .OrderBy(library => library != Ours).ThenBy(library => library, StringComparer.Ordinal).ToList();
        var rows = results.GroupBy(RowNameOf, StringComparer.Ordinal)
            .Select(row => (Verb: VerbOf(row.First()), Scenario: ScenarioOf(row.First()), Cells: RowOf(row, libraries, losses)))
            .Concat(from scenario in results.Select(ScenarioOf).Distinct(StringComparer.Ordinal).Where(sizes.ContainsKey)
                    select (Verb: "the message", Scenario: scenario, Cells: RowOf(scenario, sizes[scenario], libraries, losses))).ToList();
        if (rows.Count <= MaxRows)
        {
            Append("", rows.Select(static row => row.Cells));
            return;
        }

        var verbs = rows.GroupBy(static row => row.Verb, StringComparer.Ordinal).ToList();
        foreach (var part in verbs.TrueForAll(static rows => rows.Count() <= MaxRows) ? verbs : [.. rows.GroupBy(static row => row.Scenario, StringComparer.Ordinal)])
        {
            Append($"{part.Key} ", part.Select(static row => row.Cells));
        }

        void Append(string head, IEnumerable<string> cells) =>
            text.Append(CultureInfo.InvariantCulture, $"| {head}| {string.Join(" | ", libraries)} |\n|---|{string.Concat(libraries.Select(_ => "---:|"))}\n{string.Concat(cells)}\n");
    }

    // The difference between the rows with and without rules, beside the generator's cold run over as many types.
    private static void AppendRules(StringBuilder text, List<JsonElement> results)
    {
        var rows = from without in results
                   where OperationOf(without).EndsWith(WithoutRules, StringComparison.Ordinal)
                   let all = results.Find(other => OperationOf(other) + WithoutRules == OperationOf(without) && ParametersOf(other) == ParametersOf(without))
                   let cold = results.Find(other => OperationOf(other) == "Cold" && ParametersOf(other) == ParametersOf(without))
                   select (Row: all, Rules: NanosecondsOf(all) - NanosecondsOf(without), Cold: NanosecondsOf(cold));
        foreach (var (row, rules, cold) in rows)
        {
            var cost = rules > 0 ? string.Create(CultureInfo.InvariantCulture, $"{rules / 1_000_000:N1} ms, {rules / cold:N2} of the generator's cold run") : "within the noise";
            text.Append(CultureInfo.InvariantCulture, $"The rules alone, {Words(OperationOf(row))}{ParametersOf(row)}: {cost}.\n\n");
        }
    }

    private static string RowOf(IGrouping<string, JsonElement> row, List<string> libraries, List<string> losses)
    {
        var times = row.ToDictionary(LibraryOf, NanosecondsOf, StringComparer.Ordinal);
        var allocated = row.ToDictionary(LibraryOf, result => result.GetProperty("allocated_bytes").GetInt64(), StringComparer.Ordinal);
        var cells = libraries.Select(library => times.TryGetValue(library, out var time) ? Format($"{Time(time, times.Values.Max())}, {allocated[library]:N0} B") : "");
        AddLoss(losses, row.Key, times);
        return $"| {row.Key} | {string.Join(" | ", cells)} |\n";
    }

    private static string RowOf(string scenario, JsonElement sizes, List<string> libraries, List<string> losses)
    {
        var bytes = sizes.EnumerateObject().ToDictionary(size => size.Name, size => size.Value.GetDouble(), StringComparer.Ordinal);
        var cells = libraries.Select(library => bytes.TryGetValue(library, out var size) ? Format($"{size:N0} B") : "");
        AddLoss(losses, $"size of {scenario}", bytes);
        return $"| {scenario}, the message | {string.Join(" | ", cells)} |\n";
    }

    private static string RowNameOf(JsonElement result) => $"{ScenarioOf(result)}, {Words(OperationOf(result))}{ParametersOf(result)}";

    // The first word of the operation.
    private static string VerbOf(JsonElement result) => Words(OperationOf(result)).Split(' ')[0];

    private static string OperationOf(JsonElement result) => result.GetProperty("operation").GetString()!;

    private static double NanosecondsOf(JsonElement result) => result.GetProperty("median_ns").GetDouble();

    private static string ScenarioOf(JsonElement result) => result.GetProperty("scenario").GetString()!;

    private static string LibraryOf(JsonElement result) => result.GetProperty("library").GetString()!;

    // Of a benchmark with Bytes = 4096: ", 4,096 bytes"; with Script = Cjk: ", cjk".
    private static string ParametersOf(JsonElement result) =>
        result.TryGetProperty("parameters", out var parameters)
            ? string.Concat(parameters.EnumerateObject().Select(ParameterOf))
            : "";

    private static string ParameterOf(JsonProperty parameter) =>
        parameter.Value.ValueKind == JsonValueKind.Number
            ? Format($", {parameter.Value.GetInt32():N0} {parameter.Name.ToLowerInvariant()}")
            : Format($", {parameter.Value.GetString()!.ToLowerInvariant()}");

    // One unit in a row.
    private static string Time(double nanoseconds, double longest) =>
        longest < MinWholeNanoseconds ? Format($"{nanoseconds:N1} ns") : longest < MaxNanoseconds ? Format($"{nanoseconds:N0} ns") : Format($"{nanoseconds / 1000:N1} us");

    // SizeAndWrite is "size and write", Lookup8 is "lookup 8".
    private static string Words(string name) => string.Concat(name.Select((c, i) =>
        i != 0 && (char.IsUpper(c) || (char.IsDigit(c) && !char.IsDigit(name[i - 1]))) ? " " + char.ToLowerInvariant(c) : char.ToLowerInvariant(c).ToString()));

    private static void AddLoss(List<string> losses, string what, Dictionary<string, double> figures)
    {
        if (!figures.TryGetValue(Ours, out var ours))
        {
            return;
        }

        losses.AddRange(from figure in figures
                        where figure.Value < ours
                        orderby figure.Key
                        select Format($"{what}, {ours / figure.Value:0.0} times {figure.Key}"));
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
