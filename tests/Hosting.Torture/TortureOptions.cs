using System.Globalization;

namespace BufferedMessages.Hosting.Torture;

/// <summary>The options of a run.</summary>
internal sealed record TortureOptions
{
    public const string Help = """
        Kills two processes with handlers at random moments and at every step while messages come, and checks each message.

          --seconds N          the least time of killing, 60 by default; checking comes after it
          --kills N            the least number of kills, 0 by default
          --fault NAME         plants a fault, which must make the run fail: commit-first, no-flag, no-order or more-attempts
          --seed N             the random numbers

        Ends with: kills K ... lost 0 unflagged 0 disordered 0 unparked 0 stuck 0
        The exit code is 0 if the five last numbers are.
        """;

    public int Seconds { get; init; } = 60;

    public int Kills { get; init; }

    public PlantedFault Fault { get; init; }

    public int Seed { get; init; } = Environment.TickCount & 0xFFFF;

    /// <exception cref="ArgumentException">An option is not known, or has no value.</exception>
    public static TortureOptions Parse(IReadOnlyList<string> args)
    {
        var options = new TortureOptions();
        for (var i = 0; i < args.Count; i += 2)
        {
            var value = i + 1 < args.Count ? args[i + 1] : throw new ArgumentException($"{args[i]} has no value.");
            options = args[i] switch
            {
                "--seconds" => options with { Seconds = Number(value) },
                "--kills" => options with { Kills = Number(value) },
                "--fault" => options with { Fault = PlantedFaults.Parse(value) },
                "--seed" => options with { Seed = Number(value) },
                _ => throw new ArgumentException($"Unknown: {args[i]} {value}"),
            };
        }

        return options;
    }

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
