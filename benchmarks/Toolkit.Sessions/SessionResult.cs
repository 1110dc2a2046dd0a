using System.Text.Json.Serialization;

namespace BufferedMessages.Sessions;

/// <summary>The figures of one configuration; null where a session does not measure it.</summary>
internal sealed record SessionResult
{
    public required string Scenario { get; init; }

    public string Mode { get; init; } = "durable";

    public required int PayloadBytes { get; init; }

    public int Producers { get; init; } = 1;

    public int Consumers { get; init; } = 1;

    public double? MessagesPerSecond { get; init; }

    [JsonPropertyName("p50_ns")]
    public long? P50 { get; init; }

    [JsonPropertyName("p90_ns")]
    public long? P90 { get; init; }

    [JsonPropertyName("p99_ns")]
    public long? P99 { get; init; }

    [JsonPropertyName("p999_ns")]
    public long? P999 { get; init; }

    [JsonPropertyName("max_ns")]
    public long? Max { get; init; }

    public double? AllocatedBytesPerMessage { get; init; }
}
