namespace BufferedMessages.CacheBenchmarks;

/// <summary>What is measured, and where.</summary>
internal sealed record BenchmarkOptions
{
    public required int Keys { get; init; }

    public required TimeSpan Time { get; init; }

    public string? JsonFile { get; init; }

    public required string Directory { get; init; }

    /// <summary>Only values of so many bytes.</summary>
    public int? Bytes { get; init; }

    /// <summary>Only so many times more data than memory.</summary>
    public double? Ratio { get; init; }

    public bool OursOnly { get; init; }

    /// <summary>Says whether the run measures values of so many bytes, and so many times more data than memory.</summary>
    public bool Measures(int bytes, double ratio) => (Bytes ?? bytes) == bytes && (Ratio ?? ratio).Equals(ratio);
}
