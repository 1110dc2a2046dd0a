namespace BufferedMessages.CacheBenchmarks;

/// <summary>What is measured, and where.</summary>
internal sealed record BenchmarkOptions
{
    public int Keys { get; init; } = 1_000_000;

    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(1);

    public string? JsonFile { get; init; }

    public string Directory { get; init; } = Path.GetTempPath();

    /// <summary>Only values of so many bytes.</summary>
    public int? Bytes { get; init; }

    /// <summary>Only so many times more data than memory.</summary>
    public double? Ratio { get; init; }

    public bool OursOnly { get; init; }

    /// <summary>Says whether the run measures values of so many bytes, and so many times more data than memory.</summary>
    public bool Measures(int bytes, double ratio) => (Bytes ?? bytes) == bytes && (Ratio ?? ratio).Equals(ratio);
}
