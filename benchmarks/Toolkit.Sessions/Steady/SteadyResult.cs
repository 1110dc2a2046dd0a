using System.Text.Json.Serialization;

namespace BufferedMessages.Sessions;

/// <summary>The medians of one way of a case; null where it is not measured.</summary>
/// <param name="Scenario">The case.</param>
/// <param name="Name">The way.</param>
internal sealed record SteadyResult([property: JsonPropertyName("case")] string Scenario, string Name)
{
    public int MessageBytes { get; init; }

    public double? MessagesPerSecond { get; init; }

    public long? P50Ns { get; init; }

    public long? P99Ns { get; init; }

    [JsonPropertyName("p999_ns")]
    public long? P999Ns { get; init; }

    public long? FloorP50Ns { get; init; }

    public long? FloorP99Ns { get; init; }

    [JsonPropertyName("floor_p999_ns")]
    public long? FloorP999Ns { get; init; }

    public double AllocatedBytesPerMessage { get; init; }

    /// <summary>Medians of the rounds' ratios, by what the way is compared with.</summary>
    public IReadOnlyDictionary<string, double> Ratios { get; init; } = new Dictionary<string, double>(StringComparer.Ordinal);
}
