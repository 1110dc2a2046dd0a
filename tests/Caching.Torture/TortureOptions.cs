namespace BufferedMessages.Caching.Torture;

/// <summary>The options of a round of torture.</summary>
/// <param name="Seconds">The least duration.</param>
/// <param name="Hits">The least number of hits.</param>
/// <param name="Kills">The least number of kills.</param>
/// <param name="Seed">The seed of the random numbers.</param>
/// <param name="IsCrowded">Whether writers also set keys that are not checked, so that entries are evicted. Missing entries are no fault then.</param>
/// <param name="Plant">A fault that a writer makes, which the torture must find. The round ends when it is found. Budgets are not looked at when processes share the cache.</param>
/// <param name="Sharers">The number of processes that share the cache; 0 for one that writes and one that reads.</param>
internal sealed record TortureOptions(int Seconds, int Hits, int Kills, int Seed, bool IsCrowded, string Plant, int Sharers)
{
    public const string NoPlant = "none";

    public static string[] Plants { get; } = [NoPlant, "bad", "lost", "torn", "tag", "overbudget"];

    public bool IsPlanted => Plant != NoPlant;

    /// <summary>Gets why a run with these options would not look for what they say; null when it would.</summary>
    public string? Fault => this switch
    {
        { Sharers: 1 } => "One process has no other one to share the cache with. Give --sharers 2 or more, or leave it out.",
        { Sharers: > 0, IsCrowded: true } => "Processes that share the cache set only keys that are checked. Leave --crowd or --sharers out.",
        { Sharers: > 0, Plant: "overbudget" } => "Budgets are not looked at when processes share the cache. Leave --plant overbudget or --sharers out.",
        { IsCrowded: true, Plant: "lost" } => "With --crowd 1 a missing entry may have been evicted. Leave --crowd or --plant lost out.",
        _ => null,
    };
}
