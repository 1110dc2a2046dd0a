namespace BufferedMessages.ColdBenchmarks;

/// <summary>The options of a run.</summary>
/// <param name="Rounds">How often each program is started.</param>
/// <param name="Ways">A folder of builds of this program to measure; null for this one alone.</param>
/// <param name="JsonFile">The file of the figures; null for none.</param>
internal sealed record ColdOptions(int Rounds, string? Ways, string? JsonFile);
