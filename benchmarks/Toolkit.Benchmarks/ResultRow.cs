using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks;

/// <summary>A row of a file of results.</summary>
internal sealed record ResultRow
{
    public required string Scenario { get; init; }

    public required string Operation { get; init; }

    public required string Library { get; init; }

    public Dictionary<string, object>? Parameters { get; init; }

    /// <summary>The median time of one operation.</summary>
    [JsonPropertyName("median_ns")]
    public double Nanoseconds { get; init; }

    /// <summary>The managed memory that one operation leaves to the garbage collector.</summary>
    public long AllocatedBytes { get; init; }
}
