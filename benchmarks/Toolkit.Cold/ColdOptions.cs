namespace BufferedMessages.ColdBenchmarks;

/// <summary>The options of a run.</summary>
/// <param name="Rounds">How often each program is started.</param>
/// <param name="Program">Another build of this program to measure; null for this one.</param>
/// <param name="JsonFile">The file of the figures; null for none.</param>
internal sealed record ColdOptions(int Rounds, string? Program, string? JsonFile);
