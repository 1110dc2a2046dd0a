using System.Text.Json.Serialization;
using BufferedMessages.Running;

namespace BufferedMessages.Sessions;

/// <summary>The figures of one configuration, medians over the rounds; null where a session does not measure it.</summary>
internal sealed record SessionResult
{
    public SessionResult(string scenario, SessionOptions options)
    {
        Scenario = scenario;
        Mode = options.Mode == QueueMode.Bounded ? "bounded" : "durable";
        PayloadBytes = options.PayloadBytes;
        Producers = options.Producers;
        Consumers = options.Consumers;
        SingleProducer = options.HasSingleProducer;
        Group = options.IsGroup;
        Pages = options.HasWarmPages || options.Mode == QueueMode.Bounded ? "warm" : "fresh";
        Rounds = options.Rounds;
        Flush = options.Flush == FlushMode.None ? null : RunnerCommand.Word(options.Flush);
        Wait = options.Wait == WaitMode.Block ? null : RunnerCommand.Word(options.Wait);
    }

    public string Scenario { get; init; }

    public string Mode { get; }

    public int PayloadBytes { get; init; }

    public int Producers { get; }

    public int Consumers { get; }

    public bool SingleProducer { get; }

    public bool Group { get; }

    public string Pages { get; }

    public int Rounds { get; }

    /// <summary>What makes and reads the messages; null for raw bytes.</summary>
    public string? Library { get; init; }

    /// <summary>What carries them; null for the queue.</summary>
    public string? Transport { get; init; }

    /// <summary>How many fields are read: one or all.</summary>
    public string? Fields { get; init; }

    /// <summary>Messages that are due in a second.</summary>
    public int? Rate { get; init; }

    public string? Flush { get; init; }

    public string? Wait { get; init; }

    /// <summary>Segments in front of what is measured.</summary>
    public int? Segments { get; init; }

    public double? MessagesPerSecond { get; init; }

    [JsonPropertyName("p50_ns")]
    public long? P50 { get; init; }

    [JsonPropertyName("p90_ns")]
    public long? P90 { get; init; }

    [JsonPropertyName("p99_ns")]
    public long? P99 { get; init; }

    [JsonPropertyName("p999_ns")]
    public long? P999 { get; init; }

    /// <summary>The largest of all rounds.</summary>
    [JsonPropertyName("max_ns")]
    public long? Max { get; init; }

    public double? AllocatedBytesPerMessage { get; init; }

    public double? FloorMessagesPerSecond { get; init; }

    /// <summary>The floor's median.</summary>
    public long? FloorNs { get; init; }

    [JsonPropertyName("floor_p999_ns")]
    public long? FloorP999 { get; init; }

    /// <summary>The queue's figure divided by the floor's of the same round.</summary>
    public double? FloorRatio { get; init; }
}
