using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Sessions;

/// <summary>Shows a result as a table, and adds it to a JSON file as an array.</summary>
internal static class Report
{
    private static readonly JsonSerializerOptions Format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    public static void Write(SessionResult result, string? jsonFile)
    {
        var figures = new (string Name, string Value)[]
        {
            ("scenario", result.Scenario),
            ("mode", result.Mode),
            ("payload", $"{result.PayloadBytes} B"),
            ("producers x consumers", $"{result.Producers} x {result.Consumers}"),
            ("messages per second", Number(result.MessagesPerSecond, "N0")),
            ("MB per second", Number(result.MessagesPerSecond * result.PayloadBytes / 1e6, "N0")),
            ("p50 / p90 / p99 / p99.9 / max", $"{Time(result.P50)} / {Time(result.P90)} / {Time(result.P99)} / {Time(result.P999)} / {Time(result.Max)}"),
            ("allocated per message", Number(result.AllocatedBytesPerMessage, "0.###") + " B"),
        };
        foreach (var (name, value) in figures)
        {
            Console.WriteLine($"{name,-32}{value}");
        }

        if (jsonFile is not null)
        {
            File.WriteAllText(jsonFile, JsonSerializer.Serialize(new[] { result }, Format) + "\n");
        }
    }

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";

    private static string Time(long? nanoseconds) => nanoseconds is null ? "-" : $"{Number(nanoseconds / 1000.0, "N1")} us";
}
