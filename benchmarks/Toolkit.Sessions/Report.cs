using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Sessions;

/// <summary>Shows results as a table, and writes them to a JSON file as an array.</summary>
internal static class Report
{
    private static readonly JsonSerializerOptions Format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    public static void Write(IReadOnlyList<SessionResult> results, string? jsonFile)
    {
        Console.WriteLine();
        Row("session", "payload", "messages/s", "floor", "ratio", "p50", "p90", "p99", "p99.9", "max", "B/message");
        foreach (var result in results)
        {
            Row(
                Name(result),
                $"{result.PayloadBytes} B",
                Number(result.MessagesPerSecond, "N0"),
                result.FloorNs is null ? Number(result.FloorMessagesPerSecond, "N0") : Time(result.FloorNs),
                Number(result.FloorRatio, "0.00"),
                Time(result.P50),
                Time(result.P90),
                Time(result.P99),
                Time(result.P999),
                Time(result.Max),
                Number(result.AllocatedBytesPerMessage, "0.###"));
        }

        if (jsonFile is not null)
        {
            File.WriteAllText(jsonFile, JsonSerializer.Serialize(results, Format) + "\n");
        }
    }

    public static void Progress(string message) => Console.WriteLine(message);

    public static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";

    public static string Time(long? nanoseconds) => nanoseconds is null ? "-" : $"{Number(nanoseconds / 1000.0, "N2")} us";

    /// <summary>For example: throughput, bounded, single producer, group, 4 x 4.</summary>
    public static string Name(SessionResult result)
    {
        var name = $"{result.Scenario}, {result.Mode}";
        name += result.SingleProducer ? ", single producer" : "";
        name += result.Group ? ", group" : "";
        name += result is { Mode: "durable", Pages: "warm" } ? ", warm pages" : "";
        string?[] details = [result.Library, result.Transport, result.Fields is { } fields ? $"{fields} field{(fields == "one" ? "" : "s")}" : null, result.Flush is { } flush ? $"flush {flush}" : null, result.Wait is { } wait ? $"wait {wait}" : null, result.Rate is { } rate ? $"{Number(rate, "N0")} a second" : null, result.Segments is { } segments ? $"{Number(segments, "N0")} segments" : null];
        name += string.Concat(details.Where(detail => detail is not null).Select(detail => ", " + detail));
        return result is { Producers: 1, Consumers: 1 } ? name : $"{name}, {result.Producers} x {result.Consumers}";
    }

    private static void Row(string name, params ReadOnlySpan<string> cells)
    {
        Console.Write($"{name,-62}");
        foreach (var cell in cells)
        {
            Console.Write($"{cell,13}");
        }

        Console.WriteLine();
    }
}
