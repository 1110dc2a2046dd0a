using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary><c>torture --seconds 60 [--seed N] [--mode bounded|durable|all] [--inspect yes]</c>: rounds until the time is over.</summary>
internal sealed class TortureCommand
{
    private static readonly TimeSpan RoundTime = TimeSpan.FromSeconds(8);

    private static readonly TimeSpan OthersGoOnWithin = TimeSpan.FromMilliseconds(50);

    private readonly TimeSpan _time;
    private readonly int _seed;
    private readonly QueueMode? _mode;

    private readonly bool _isInspected;

    private TortureCommand(TimeSpan time, int seed, QueueMode? mode, bool isInspected)
    {
        _isInspected = isInspected;
        _time = time;
        _seed = seed;
        _mode = mode;
    }

    /// <summary>The entry point; 0 when there was no fault.</summary>
    public static int Run(string[] arguments)
    {
        var options = arguments.Chunk(2).ToDictionary(pair => pair[0], pair => pair.ElementAtOrDefault(1) ?? "", StringComparer.Ordinal);
        var isKnown = options.Keys.All(key => key is "--seconds" or "--seed" or "--mode" or "--inspect")
            & TryNumber(options, "--seconds", 60, out var seconds)
            & TryNumber(options, "--seed", Environment.TickCount & int.MaxValue, out var seed)
            & TryMode(options.GetValueOrDefault("--mode", "all"), out var mode);
        if (!isKnown)
        {
            Console.Error.WriteLine("usage: torture [--seconds N] [--seed N] [--mode bounded|durable|all] [--inspect yes]");
            return 2;
        }

        return new TortureCommand(TimeSpan.FromSeconds(seconds), seed, mode, options.GetValueOrDefault("--inspect") == "yes").Run();
    }

    private int Run()
    {
        var start = Stopwatch.GetTimestamp();
        var total = new Tally();
        var random = new Random(_seed);
        using var pool = new WorkerPool(6);
        Console.WriteLine($"seed {_seed}");
        for (var number = 1; Stopwatch.GetElapsedTime(start) < _time; number++)
        {
            var rest = _time - Stopwatch.GetElapsedTime(start);
            var plan = RoundPlan.Draw(random, _mode, rest < RoundTime ? rest : RoundTime) with { IsInspected = _isInspected };
            total.Add(RunRound(number, plan, random.Next(), pool));
        }

        Console.WriteLine($"others go on after a death: {total.ResumptionText(resumption => resumption.OfOthers, OthersGoOnWithin)}");
        Console.WriteLine($"where a successor had to begin first: {total.ResumptionText(resumption => !resumption.OfOthers, OthersGoOnWithin)}");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"from publish to awake: p50 {total.WakeMicroseconds(50)} us, p99 {total.WakeMicroseconds(99)} us, max {total.WakeMicroseconds(100)} us ({total.Wakes.Sum()} measured); {total.Pauses} pauses"));
        if (_isInspected)
        {
            Console.WriteLine($"inspections {total.Inspections}");
        }

        Console.WriteLine(total);
        return total.IsClean ? 0 : 1;
    }

    private static Tally RunRound(int number, RoundPlan plan, int seed, WorkerPool pool)
    {
        var directory = TortureDirectory.Create();
        using var round = new Round(plan, seed, pool, directory);
        var tally = round.Run();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"round {number}: {plan}: {tally}; others {tally.ResumptionText(resumption => resumption.OfOthers, OthersGoOnWithin)}"));
        if (tally.IsClean)
        {
            Directory.Delete(directory, recursive: true);
        }
        else
        {
            Console.WriteLine($"round seed {seed}; the queue and the notes are kept in {directory}");
            Console.WriteLine(round.Report);
        }

        return tally;
    }

    private static bool TryNumber(Dictionary<string, string> options, string name, int fallback, out int number)
    {
        number = fallback;
        return !options.TryGetValue(name, out var text) || int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    private static bool TryMode(string text, out QueueMode? mode)
    {
        mode = text switch { "bounded" => QueueMode.Bounded, "durable" => QueueMode.Durable, _ => null };
        return text is "bounded" or "durable" or "all";
    }
}
