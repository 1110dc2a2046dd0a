using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using BufferedMessages.Running;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Rounds until the time is over.</summary>
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

    /// <summary>The command, which ends with 0 when there was no fault.</summary>
    public static Command Create()
    {
        var seconds = RunnerCommand.Number("--seconds", "How long to kill", 60, least: 1);
        var seed = RunnerCommand.OptionalNumber("--seed", "The seed of the random numbers");
        var mode = RunnerCommand.Choice("--mode", "The mode of the queues", "all", "all", "bounded", "durable");
        var inspect = RunnerCommand.Choice("--inspect", "Whether another process looks for damage all the time", "no", "no", "yes");
        var command = new Command("torture", "Kills and pauses processes of queues at random and at steps of the protocol, and counts what is lost.") { seconds, seed, mode, inspect };
        command.SetAction(parsed => new TortureCommand(
            TimeSpan.FromSeconds(parsed.GetValue(seconds)),
            parsed.GetValue(seed) ?? (Environment.TickCount & int.MaxValue),
            parsed.GetValue(mode) switch { "bounded" => QueueMode.Bounded, "durable" => QueueMode.Durable, _ => null },
            parsed.GetValue(inspect) == "yes").Run());
        return command;
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
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
        }

        Console.WriteLine($"others go on after a death: {total.ResumptionText(resumption => resumption.OfOthers, OthersGoOnWithin)}");
        Console.WriteLine($"where a successor had to begin first: {total.ResumptionText(resumption => !resumption.OfOthers, OthersGoOnWithin)}");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"from publish to awake: p50 {total.WakeMicroseconds(50)} us, p99 {total.WakeMicroseconds(99)} us, max {total.WakeMicroseconds(100)} us ({total.Wakes.Sum()} measured); {total.Pauses} pauses"));
        if (_isInspected)
        {
            Console.WriteLine($"inspections {total.Inspections}");
        }

        Console.WriteLine(total);
        if (total.Messages == 0)
        {
            Console.Error.WriteLine("No message was published: this run shows nothing. Give it more --seconds.");
            return RunnerCommand.Failed;
        }

        return total.IsClean ? 0 : 1;
    }

    private static Tally RunRound(int number, RoundPlan plan, int seed, WorkerPool pool)
    {
        var directory = TortureDirectory.Create();
        try
        {
            return RunRound(number, plan, seed, pool, directory);
        }
        catch (OperationCanceledException)
        {
            Directory.Delete(directory, recursive: true);
            throw;
        }
    }

    private static Tally RunRound(int number, RoundPlan plan, int seed, WorkerPool pool, string directory)
    {
        using var round = new Round(plan, seed, pool, directory);
        var tally = round.Run();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"round {number}: {plan}: {tally}; others {tally.ResumptionText(resumption => resumption.OfOthers, OthersGoOnWithin)}"));
        if (tally.IsClean)
        {
            TortureDirectory.Delete(directory);
        }
        else
        {
            Console.WriteLine($"round seed {seed}; the queue and the notes are kept in {directory}");
            Console.WriteLine(round.Report);
        }

        return tally;
    }
}
