using System.Globalization;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Charts;

/// <summary>The charts of the documents, made from the committed result files.</summary>
internal static class ResultCharts
{
    private const string Ours = "BufferedMessages";

    /// <summary>Every chart, by the name of its file.</summary>
    public static IReadOnlyDictionary<string, Func<BarChart>> All { get; } = new Dictionary<string, Func<BarChart>>(StringComparer.Ordinal)
    {
        ["messages"] = Messages,
        ["queues"] = Queues,
        ["caches"] = Caches,
        ["streams"] = Streams,
    };

    private static BarChart Messages() => OfRun("messages.json", "Time to write and to read a message: shorter is better", results =>
    [
        .. from scenario in new[] { "Container", "AccessLog" }
           from operation in new[] { "Read", "Write" }
           select new BarGroup(
               $"{(scenario == "Container" ? "A message with 30 nested ones" : "A log of 10,000 lines")}, {operation.ToLowerInvariant()}",
               [.. from result in results
                   where Text(result, "scenario") == scenario && Text(result, "operation") == operation && Text(result, "library") != "RawMemory"
                   select TimeBar(NameOf(Text(result, "library")), result.GetProperty("median_ns").GetDouble())]),
    ]);

    private static BarChart Caches() => OfRun("caching.json", "Reads of a cache a second, one thread, 1,000,000 entries of 100 B: longer is better", results =>
    [
        .. from share in new[] { 0.5, 4.0 }
           select new BarGroup(
               share < 1 ? "All of it fits into its memory" : "Three times its memory",
               [.. from result in results
                   where Text(result, "operation") == "read" && result.GetProperty("threads").GetInt32() == 1 && result.GetProperty("value_bytes").GetInt32() == 100
                       && result.GetProperty("data_per_memory").GetDouble() == share && Text(result, "distribution") == "zipf 0.99" && Text(result, "library") is not ("bare table" or "files" or "FASTER 2.6.5 appending")
                   select RateBar(Text(result, "library"), result.GetProperty("operations_per_second").GetDouble())]),
    ]);

    private static BarChart Streams() => OfRun("streams.json", "Time to write a stream and to give it back: shorter is better", results =>
    [
        .. from bytes in new[] { 4096, 65536, 1048576 }
           select new BarGroup(
               Format($"{bytes / 1024:N0} KB"),
               [.. from result in results
                   where Text(result, "scenario") == "Stream" && Text(result, "operation") == "Write" && result.GetProperty("parameters").GetProperty("Bytes").GetInt32() == bytes
                       && Text(result, "library") != "ArrayPool"
                   select TimeBar(Text(result, "library"), result.GetProperty("median_ns").GetDouble())]),
    ]);

    // Of sessions there is a list without a run around it.
    private static BarChart Queues()
    {
        const string File = "sessions.json";
        using var json = Read(File);
        var orders = json.RootElement.EnumerateArray().Where(static session => Text(session, "scenario") == "typed").ToList();
        return new BarChart(
            "Orders of 20 members between two processes, a second: longer is better",
            SourceOf(File, run: null),
            [
                .. from fields in orders.GroupBy(static order => Text(order, "fields"), StringComparer.Ordinal)
                   select new BarGroup(
                       fields.Key == "one" ? "One member is read" : "All members are read",
                       [.. from order in fields
                           let library = Text(order, "library")
                           let transport = Text(order, "transport")
                           where library == Ours ? transport == "queue" : transport != "queue" && library == "Protobuf"
                           select RateBar(library == Ours ? Ours : $"Protobuf, {transport}", order.GetProperty("messages_per_second").GetDouble())]),
            ]);
    }

    private static BarChart OfRun(string file, string title, Func<IReadOnlyList<JsonElement>, IReadOnlyList<BarGroup>> groups)
    {
        using var json = Read(file);
        return new BarChart(title, SourceOf(file, json.RootElement), groups([.. json.RootElement.GetProperty("results").EnumerateArray()]));
    }

    private static JsonDocument Read(string file) => JsonDocument.Parse(Repository.Read($"benchmarks/results/{file}"));

    private static string SourceOf(string file, JsonElement? run) =>
        run is { } known ? $"{Text(known, "machine").Split(" (")[0]}; commit {Text(known, "commit")}; benchmarks/results/{file}" : $"benchmarks/results/{file}";

    private static string NameOf(string library) => library == "SystemTextJson" ? "System.Text.Json" : library;

    private static Bar TimeBar(string label, double nanoseconds) => new(label, nanoseconds, nanoseconds switch
    {
        < 1_000 => Format($"{nanoseconds:N0} ns"),
        < 1_000_000 => Format($"{nanoseconds / 1_000:N1} us"),
        _ => Format($"{nanoseconds / 1_000_000:N1} ms"),
    });

    private static Bar RateBar(string label, double rate) => new(label, rate, Format($"{rate / 1_000_000:N1} million"));

    private static string Text(JsonElement element, string name) => element.TryGetProperty(name, out var value) ? value.GetString() ?? "" : "";

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
