using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>Makes the tables of sessions in docs/performance-queues.md from the committed results: a table for each scenario that is in them.</summary>
internal static class SessionTable
{
    public const string ResultFile = "sessions.json";

    private const string Ours = "BufferedMessages";

    private static readonly (string Head, Func<JsonElement, string> Cell)[] Columns =
    [
        ("payload", session => Figure(session, "payload_bytes", 1, "N0", " B")),
        ("messages a second", session => Figure(session, "messages_per_second", 1, "N0", "")),
        ("floor", session => Figure(session, "floor_messages_per_second", 1, "N0", "") + Time(session, "floor_ns")),
        ("times the floor", session => Figure(session, "floor_ratio", 1, "N2", "")),
        ("p50", session => Time(session, "p50_ns")),
        ("p99", session => Time(session, "p99_ns")),
        ("p99.9", session => Time(session, "p999_ns")),
        ("floor's p99.9", session => Time(session, "floor_p999_ns")),
        ("largest", session => Time(session, "max_ns")),
        ("managed bytes", session => Figure(session, "allocated_bytes_per_message", 1, "0.###", "")),
    ];

    /// <summary>README shows what the product is held to first; the rest is in docs/performance-queues.md only.</summary>
    public static string Make() => Make(Repository.PathOf("benchmarks/results"));

    public static string Make(string folder)
    {
        var file = Path.Combine(folder, ResultFile);
        if (!File.Exists(file))
        {
            return "No results are committed yet.\n";
        }

        using var json = JsonDocument.Parse(File.ReadAllText(file));
        var text = new StringBuilder();
        foreach (var scenario in json.RootElement.EnumerateArray().GroupBy(session => Text(session, "scenario")!, StringComparer.Ordinal))
        {
            Append(text, scenario.Key, [.. scenario]);
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string scenario, List<JsonElement> sessions)
    {
        var columns = Columns.Where(column => sessions.Exists(session => column.Cell(session).Length != 0)).ToList();

        // One field, or all fields: a table for each.
        foreach (var part in sessions.GroupBy(static session => Text(session, "fields")))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n| {scenario} | {string.Join(" | ", columns.Select(column => column.Head))} |\n|---|{string.Concat(columns.Select(_ => "---:|"))}\n");
            foreach (var session in part)
            {
                text.Append(CultureInfo.InvariantCulture, $"| {NameOf(session)} | {string.Join(" | ", columns.Select(column => column.Cell(session)))} |\n");
            }
        }

        var losses = LossesOf(sessions);
        if (losses.Count != 0)
        {
            text.Append(CultureInfo.InvariantCulture, $"\nWhere it loses: {string.Join("; ", losses)}.\n");
        }
    }

    // Of the formats, against each other format and way that reads as many fields.
    private static List<string> LossesOf(List<JsonElement> sessions) =>
    [
        .. from ours in sessions
           where Text(ours, "library") == Ours && Text(ours, "transport") == "queue"
           from other in sessions
           where Text(other, "fields") == Text(ours, "fields") && Rate(other) > Rate(ours)
           select FormattableString.Invariant($"{NameOf(other)}: {Rate(other) / Rate(ours):0.0} times as many as ours over the queue"),
    ];

    private static double Rate(JsonElement session) => session.GetProperty("messages_per_second").GetDouble();

    private static string NameOf(JsonElement session)
    {
        string?[] parts =
        [
            Text(session, "library"),
            Text(session, "transport"),
            Text(session, "fields") is { } fields ? (fields == "one" ? "one field" : "all fields") : null,
            Text(session, "mode") == "durable" ? $"durable, {Text(session, "pages")} pages" : "bounded",
            session.TryGetProperty("single_producer", out var single) && single.ValueKind == JsonValueKind.True ? "single producer" : null,
            session.TryGetProperty("group", out var group) && group.ValueKind == JsonValueKind.True ? "group" : null,
            $"{Text(session, "producers")} x {Text(session, "consumers")}" is var shape && shape != "1 x 1" ? shape : null,
            Text(session, "flush") is { } flush ? $"flush {flush}" : null,
            Text(session, "wait") is { } wait ? $"wait {wait}" : null,
            Figure(session, "rate", 1, "N0", " a second") is { Length: > 0 } rate ? rate : null,
            Figure(session, "segments", 1, "N0", " segments") is { Length: > 0 } segments ? segments : null,
        ];
        return string.Join(", ", parts.Where(part => part is not null));
    }

    private static string? Text(JsonElement session, string name) =>
        session.TryGetProperty(name, out var value) && value.ValueKind != JsonValueKind.Null ? value.ToString() : null;

    // In the unit that suits it: from nanoseconds to milliseconds.
    private static string Time(JsonElement session, string name) =>
        !session.TryGetProperty(name, out var time) || time.ValueKind != JsonValueKind.Number ? ""
        : time.GetDouble() switch
        {
            < 1_000 => Figure(session, name, 1, "N0", " ns"),
            < 1_000_000 => Figure(session, name, 1_000, "N1", " us"),
            _ => Figure(session, name, 1_000_000, "N1", " ms"),
        };

    private static string Figure(JsonElement session, string name, double divisor, string format, string unit) =>
        session.TryGetProperty(name, out var figure) && figure.ValueKind == JsonValueKind.Number
            ? (figure.GetDouble() / divisor).ToString(format, CultureInfo.InvariantCulture) + unit
            : "";
}
