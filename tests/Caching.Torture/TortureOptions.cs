using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>The options of a round of torture.</summary>
/// <param name="Seconds">The least duration.</param>
/// <param name="Hits">The least number of hits.</param>
/// <param name="Kills">The least number of kills.</param>
/// <param name="Seed">The seed of the random numbers.</param>
/// <param name="IsCrowded">Whether writers also set keys that are not checked, so that entries are evicted. Missing entries are no fault then.</param>
/// <param name="Plant">A fault that the writer makes, which the torture must find: bad, lost, torn or overbudget. The round ends when it is found.</param>
internal sealed record TortureOptions(int Seconds, int Hits, int Kills, int Seed, bool IsCrowded, string Plant)
{
    public const string NoPlant = "none";

    private static readonly string[] Plants = [NoPlant, "bad", "lost", "torn", "overbudget"];

    public bool IsPlanted => Plant != NoPlant;

    /// <summary>Parses the command line; returns null when it is invalid.</summary>
    public static TortureOptions? Parse(string[] arguments)
    {
        var options = new TortureOptions(60, 0, 0, Environment.TickCount & 0xFFFFFF, false, NoPlant);
        for (var i = 0; i < arguments.Length; i += 2)
        {
            var value = i + 1 < arguments.Length ? arguments[i + 1] : "";
            var isNumber = int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number);
            options = (arguments[i], isNumber) switch
            {
                ("--seconds", true) => options with { Seconds = number },
                ("--hits", true) => options with { Hits = number },
                ("--kills", true) => options with { Kills = number },
                ("--seed", true) => options with { Seed = number },
                ("--crowd", true) => options with { IsCrowded = number != 0 },
                ("--plant", _) when Plants.Contains(value) => options with { Plant = value },
                _ => null,
            };
            if (options is null)
            {
                return null;
            }
        }

        return options;
    }
}
