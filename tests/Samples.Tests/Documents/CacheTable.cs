using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Makes the tables of docs/performance-caches.md from the committed results of the cache benchmark.</summary>
internal static class CacheTable
{
    public const string ResultFile = "caching.json";

    private const string Ours = "BufferedMessages";
    private const string Folder = "benchmarks/results";

    // What the memory takes, and no cache can be without.
    private const string Floor = "bare table";

    private static readonly string[] Libraries = [Ours, "FASTER 2.6.5", "FASTER 2.6.5 appending", "MemoryCache", "BitFaster", "files", Floor];

    public static string Make() => Make(Repository.PathOf(Folder));

    public static string Make(string folder)
    {
        var path = Path.Combine(folder, ResultFile);
        if (!File.Exists(path))
        {
            return "No results are committed yet.\n";
        }

        using var json = JsonDocument.Parse(File.ReadAllText(path));
        var run = json.RootElement;
        var results = run.GetProperty("results").EnumerateArray().ToList();
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{run.GetProperty("keys").GetInt32():N0} keys; thousands of operations per second, p50 and p99 in microseconds; {run.GetProperty("machine").GetString()}; ");
        text.Append(CultureInfo.InvariantCulture, $"commit {run.GetProperty("commit").GetString()}; [{ResultFile}](../{Folder}/{ResultFile}).\n\n");
        var operations = results.Where(result => result.GetProperty("distribution").GetString()!.Length != 0).ToList();
        AppendOperations(text, operations);
        AppendOpening(text, [.. results.Where(result => result.GetProperty("distribution").GetString()!.Length == 0)]);
        text.Append(CultureInfo.InvariantCulture, $"Managed bytes per operation, at most: {string.Join(", ", LibrariesIn(results).Select(library => AllocationsOf(library, results)))}.\n\n");
        var losses = LossesOf(operations);
        text.Append(CultureInfo.InvariantCulture, $"Where it is slower: {(losses.Count == 0 ? "nowhere in these tables" : string.Join("; ", losses))}.\n");
        return text.ToString();
    }

    private static List<string> LibrariesIn(List<JsonElement> results) => [.. Libraries.Where(library => results.Exists(result => LibraryOf(result) == library))];

    private static void AppendOperations(StringBuilder text, List<JsonElement> results)
    {
        var libraries = LibrariesIn(results);
        foreach (var part in results.GroupBy(static result => (Data: DataOf(result), IsRead: IsRead(result))))
        {
            text.Append(CultureInfo.InvariantCulture, $"| {part.Key.Data} | {string.Join(" | ", libraries)} |\n|---|{string.Concat(libraries.Select(_ => "---:|"))}\n");
            foreach (var row in part.GroupBy(RowOf, StringComparer.Ordinal))
            {
                var cells = row.ToDictionary(LibraryOf, result => result, StringComparer.Ordinal);
                text.Append(CultureInfo.InvariantCulture, $"| {row.Key} | {string.Join(" | ", libraries.Select(library => cells.TryGetValue(library, out var cell) ? CellOf(cell) : ""))} |\n");
            }

            text.Append('\n');
        }
    }

    private static void AppendOpening(StringBuilder text, List<JsonElement> results)
    {
        if (results.Count == 0)
        {
            return;
        }

        text.Append("| opening, until the first entry is read | |\n|---|---:|\n");
        foreach (var result in results)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {LibraryOf(result)}, {result.GetProperty("operation").GetString()}, {result.GetProperty("value_bytes").GetInt32()} B | {result.GetProperty("p50_ns").GetInt64() / 1e6:N0} ms |\n");
        }

        text.Append('\n');
    }

    // By library and shape: in how many rows, and the worst of these.
    private static List<string> LossesOf(List<JsonElement> results) =>
    [
        .. from ours in results
           where LibraryOf(ours) == Ours
           join other in results on NameOf(ours) equals NameOf(other)
           where LibraryOf(other) is not (Ours or Floor)
           group SpeedOf(ours) / SpeedOf(other) by (Library: LibraryOf(other), Shape: ShapeOf(ours)) into parts
           let slower = parts.Where(part => part < 1).ToList()
           where slower.Count != 0
           select Format($"{parts.Key.Shape}: {slower.Count} of {parts.Count()} rows, down to {slower.Min():0.00} of {parts.Key.Library}"),
    ];

    private static string ShapeOf(JsonElement result) => $"{result.GetProperty("operation").GetString()}, {result.GetProperty("distribution").GetString()}";

    private static bool IsRead(JsonElement result) => result.GetProperty("operation").GetString()!.StartsWith("read", StringComparison.Ordinal);

    private static string NameOf(JsonElement result) => $"{DataOf(result)}, {RowOf(result)}";

    private static string DataOf(JsonElement result) => Format($"{result.GetProperty("value_bytes").GetInt32()} B, {result.GetProperty("memory_bytes").GetInt64() >> 20} MiB of memory");

    private static string RowOf(JsonElement result) =>
        Format($"{ShapeOf(result)}, {result.GetProperty("threads").GetInt32()} {(result.GetProperty("threads").GetInt32() == 1 ? "thread" : "threads")}");

    private static string CellOf(JsonElement result) => Format(
        $"{SpeedOf(result) / 1000:N0}; {result.GetProperty("p50_ns").GetInt64() / 1000.0:0.0}; {result.GetProperty("p99_ns").GetInt64() / 1000.0:0.0}");

    private static string AllocationsOf(string library, List<JsonElement> results) => Format(
        $"{library} {results.Where(result => LibraryOf(result) == library).Select(result => result.GetProperty("allocated_bytes").GetDouble()).DefaultIfEmpty().Max():0.#}");

    private static string LibraryOf(JsonElement result) => result.GetProperty("library").GetString()!;

    private static double SpeedOf(JsonElement result) => result.GetProperty("operations_per_second").GetDouble();

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
