using System.Reflection;
using System.Text.Json.Serialization;

namespace BufferedMessages.Peers;

/// <summary>What one library did in one workload.</summary>
internal sealed record PeerFigure
{
    public required string Workload { get; init; }

    public required string Library { get; init; }

    /// <summary>The version of its assembly, with the revision of its sources where the build has written it there.</summary>
    public required string Version { get; init; }

    /// <summary>The median of the rounds, of one operation on one thread.</summary>
    [JsonPropertyName("median_ns")]
    public double? Median { get; init; }

    public double? PerSecond { get; init; }

    /// <summary>How many round trips were measured.</summary>
    public int? RoundTrips { get; init; }

    [JsonPropertyName("round_trip_p50_ns")]
    public double? RoundTripP50 { get; init; }

    [JsonPropertyName("round_trip_p99_ns")]
    public double? RoundTripP99 { get; init; }

    /// <summary>Managed bytes of an operation, in the process that measures.</summary>
    public double AllocatedBytes { get; init; }

    public static string VersionOf(Assembly library) =>
        library.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? library.GetName().Version?.ToString() ?? "unknown";
}
