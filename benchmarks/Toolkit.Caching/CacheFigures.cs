using System.Text.Json.Serialization;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>What one contender did in one scenario.</summary>
internal sealed record CacheFigures
{
    /// <summary>read, write, or a way to open.</summary>
    public string Operation { get; init; } = "";

    public string Library { get; init; } = "";

    public int ValueBytes { get; init; }

    /// <summary>Bytes of all values, divided by the memory budget.</summary>
    public double DataPerMemory { get; init; }

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
}
