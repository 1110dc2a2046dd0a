using System.Text.Json.Serialization;

namespace BufferedMessages.ColdBenchmarks;

/// <summary>The medians of one program; null where it is not measured.</summary>
/// <param name="Scenario">One message, or a stream.</param>
/// <param name="Name">The program.</param>
internal sealed record ColdResult([property: JsonPropertyName("case")] string Scenario, string Name)
{
    /// <summary>From the start of the process until it is gone.</summary>
    public double? Milliseconds { get; init; }

    /// <summary>Median of the rounds' differences.</summary>
    public double? AboveEmptyMilliseconds { get; init; }

    public double? OpenMilliseconds { get; init; }

    /// <summary>Opening the producer or consumer.</summary>
    public double? JoinMilliseconds { get; init; }

    public double? FirstMessageMilliseconds { get; init; }

    public double? MessagesPerSecond { get; init; }

    /// <summary>Medians of the rounds' ratios.</summary>
    public IReadOnlyDictionary<string, double>? Ratios { get; init; }
}

/// <summary>The results with what they need to be repeated.</summary>
internal sealed record ColdFile(string Command, string Commit, string Machine, int Rounds, IReadOnlyList<ColdResult> Results);

/// <summary>Source generated, so that it works ahead of time.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, WriteIndented = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ColdFile))]
internal sealed partial class ColdJson : JsonSerializerContext;
