using System.Text.Json;
using System.Text.Json.Serialization;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>What one contender did in one scenario.</summary>
internal sealed record CacheFigures
{
    /// <summary>The format of the files.</summary>
    public static JsonSerializerOptions Format { get; } = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    /// <summary>read, write, or a way to open.</summary>
    public string Operation { get; init; } = "";

    public string Library { get; init; } = "";

    public int ValueBytes { get; init; }

    /// <summary>Bytes of all values, divided by the memory budget before it is rounded.</summary>
    public double DataPerMemory { get; init; }

    public long MemoryBytes { get; init; }

    public string Distribution { get; init; } = "";

    public int Threads { get; init; }

    public double OperationsPerSecond { get; init; }

    [JsonPropertyName("p50_ns")]
    public long P50 { get; init; }

    [JsonPropertyName("p99_ns")]
    public long P99 { get; init; }

    /// <summary>Managed bytes per operation, of all threads.</summary>
    public double AllocatedBytes { get; init; }

    public long Misses { get; init; }

    /// <summary>Reads the figures that the file has of other settings, so that one setting can be measured at a time. Those of another commit, or of another number of keys, do not count.</summary>
    public static IReadOnlyList<CacheFigures> Others(BenchmarkOptions options, string commit)
    {
        if (options.JsonFile is null || !File.Exists(options.JsonFile))
        {
            return [];
        }

        try
        {
            using var json = JsonDocument.Parse(File.ReadAllText(options.JsonFile));
            var run = json.RootElement;
            return run.GetProperty("commit").GetString() == commit && run.GetProperty("keys").GetInt32() == options.Keys
                ? [.. run.GetProperty("results").Deserialize<List<CacheFigures>>(Format)!.Where(figure => !options.Measures(figure.ValueBytes, figure.DataPerMemory))]
                : [];
        }
        catch (Exception exception) when (exception is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            // It is empty, or the file of another program.
            return [];
        }
    }
}
