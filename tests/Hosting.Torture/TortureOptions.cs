namespace BufferedMessages.Hosting.Torture;

/// <summary>The options of a run.</summary>
/// <param name="Seconds">The least time of killing; checking comes after it.</param>
/// <param name="Kills">The least number of kills.</param>
/// <param name="Fault">A planted fault, which must make the run fail.</param>
/// <param name="Seed">The seed of the random numbers.</param>
internal sealed record TortureOptions(int Seconds, int Kills, PlantedFault Fault, int Seed);
