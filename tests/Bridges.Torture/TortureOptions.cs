using System.Globalization;

namespace BufferedMessages.Bridges.Torture;

/// <summary>The options of a run.</summary>
internal sealed record TortureOptions
{
    public const string Help = """
        Kills forwarder, receiver and broker at random while messages pass through a real broker, and compares both queues at the end.

          --seconds N          how long to kill, 60 by default; checking comes after it
          --broker NAME        rabbitmq (the default) or redis
          --pause MS           the longest pause between two kills, 400 by default
          --restarts SECONDS   a restart of the broker every so many seconds, half of them by -9; 20 by default, 0 for none
          --cuts SECONDS       a crash of the source's machine every so many seconds; 30 by default, 0 for none
          --fault NAME         plants a fault, which must make the run fail: journal-first, no-chain or no-epoch
          --seed N             the random numbers

        Ends with: kills K restarts R cuts C messages M lost 0 duplicated 0 disordered 0 corrupt 0
        The exit code is 0 if the four last numbers are.
        """;

    public int Seconds { get; init; } = 60;

    public string Broker { get; init; } = "rabbitmq";

    public int PauseMilliseconds { get; init; } = 400;

    public int RestartSeconds { get; init; } = 20;

    public int CutSeconds { get; init; } = 30;

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
                "--broker" when value is "rabbitmq" or "redis" => options with { Broker = value },
                "--pause" => options with { PauseMilliseconds = Math.Max(1, Number(value)) },
                "--restarts" => options with { RestartSeconds = Number(value) },
                "--cuts" => options with { CutSeconds = Number(value) },
                "--fault" => options with { Fault = PlantedFaults.Parse(value) },
                "--seed" => options with { Seed = Number(value) },
                _ => throw new ArgumentException($"Unknown: {args[i]} {value}"),
            };
        }

        return options;
    }

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
