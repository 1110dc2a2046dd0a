using System.CommandLine;
using System.Diagnostics;
using BufferedMessages.Running;
using BufferedMessages.Segments;

namespace BufferedMessages.Hosting.Torture;

/// <summary>The run: two processes with handlers are killed while messages come; then the rest is handled, and everything is checked.</summary>
internal sealed class TortureCommand : IDisposable
{
    private const int Processes = 2;
    private const int MostIdleLooks = 6;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(500);

    // When no message is handled for so long, the rest never is.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TortureOptions _options;
    private readonly TextWriter _output;
    private readonly string _directory = Directory.CreateTempSubdirectory("bm-hosting-torture-").FullName;
    private readonly Journal _journal;
    private readonly MessageFlood _flood;
    private readonly List<WorkerSlot> _slots;
    private volatile bool _isKilling = true;
    private volatile bool _isOver;

    private TortureCommand(TortureOptions options, TextWriter output)
    {
        _options = options;
        _output = output;
        _journal = new Journal(TortureDirectory.JournalOf(_directory));
        _flood = new MessageFlood(_directory, options.Seed);
        _slots = [.. Enumerable.Range(0, Processes).Select(slot => new WorkerSlot(_directory, options, slot))];
    }

    private int Kills => _slots.Sum(static slot => slot.Kills);

    private IEnumerable<string> Failures => _slots.SelectMany(static slot => slot.Failures);

    /// <summary>Runs the command line.</summary>
    public static Task<int> RunAsync(string[] arguments, TextWriter output)
    {
        var seconds = RunnerCommand.Number("--seconds", "The least time of killing; checking comes after it", 60);
        var kills = RunnerCommand.Number("--kills", "The least number of kills", 0);
        var fault = RunnerCommand.Choice<PlantedFault>("--fault", "A planted fault, which must make the run fail");
        var seed = RunnerCommand.OptionalNumber("--seed", "The seed of the random numbers");
        var command = new RootCommand(
            """
            Kills two processes with handlers at random moments and at every step while messages come, and checks each message.
            Ends with: kills K ... lost 0 unflagged 0 disordered 0 unparked 0 stuck 0
            The exit code is 0 if the five last numbers are.
            """)
        { seconds, kills, fault, seed };
        command.SetAction(async parsed =>
        {
            using var torture = new TortureCommand(
                new TortureOptions(parsed.GetValue(seconds), parsed.GetValue(kills), parsed.GetValue(fault), parsed.GetValue(seed) ?? (Environment.TickCount & 0xFFFF)), output);
            return await torture.RunAsync();
        });
        return RunnerCommand.RunAsync(command, arguments, "dotnet run -c Release --project tests/Hosting.Torture -- --seconds 60 --kills 100");
    }

    public void Dispose()
    {
        _flood.Dispose();
        _journal.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private async Task<int> RunAsync()
    {
        await _output.WriteLineAsync($"seed {_options.Seed}");
        using var end = new CancellationTokenSource();
        var flood = Task.Run(() => _flood.RunAsync(end.Token));
        var threads = _slots.ConvertAll(slot => new Thread(() => slot.Run(() => _isKilling, () => _isOver)));
        threads.ForEach(static thread => thread.Start());
        var clock = Stopwatch.StartNew();
        while ((clock.Elapsed.TotalSeconds < _options.Seconds || Kills < _options.Kills) && !Failures.Any() && !RunnerCommand.Stopping.IsCancellationRequested)
        {
            await Task.Delay(Look);
        }

        await end.CancelAsync();
        await flood;
        _isKilling = false;
        if (!IsFound())
        {
            await HandleRestAsync();
        }

        _isOver = true;
        threads.ForEach(static thread => thread.Join());
        RunnerCommand.Stopping.ThrowIfCancellationRequested();
        return Check();
    }

    // The effect of two of the faults is in the journal when it happens. That of the others shows when all is handled.
    private bool IsFound() => _options.Fault switch
    {
        PlantedFault.NoFlag => Checks().Exists(static check => check.Unflagged != 0),
        PlantedFault.NoOrder => Checks().Exists(static check => check.Disordered != 0),
        _ => false,
    };

    private async Task HandleRestAsync()
    {
        var messages = _flood.Mischief.Count;
        var handled = new HandledSoFar(_directory, _journal, messages);
        var (last, idle) = (-1, 0);
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < Patience && idle < MostIdleLooks && !Failures.Any() && !RunnerCommand.Stopping.IsCancellationRequested;)
        {
            var count = handled.Count();
            if (count == messages * HandlerNames.All.Length)
            {
                break;
            }

            // A committed message that was not handled never will be.
            idle = count == last && _flood.Unfinished == 0 ? idle + 1 : 0;
            if (count != last)
            {
                last = count;
                clock.Restart();
            }

            await Task.Delay(Look);
        }
    }

    private List<HandlerCheck> Checks() =>
        [.. Enumerable.Range(0, HandlerNames.All.Length).Select(handler => new HandlerCheck(
            handler, [.. _flood.Mischief.Select(one => Mischiefs.Of(one, handler))], _journal.Read(), Letter.Read(_directory, handler)))];

    private int Check()
    {
        var mischief = _flood.Mischief;
        var checks = Checks();
        var byMessages = _journal.Read().Where(static record => record.Step == HandlerStep.Kill).Select(static record => record.Life).ToHashSet();
        var lives = _slots.SelectMany(static slot => slot.Lives).ToList();
        var random = lives.Count(static life => life.End == LifeEnd.Killed);
        var byThemselves = lives.Where(life => life.End == LifeEnd.ByItself && !byMessages.Contains(life.Number)).ToList();
        var atSteps = byThemselves.Select(static life => life.Step).OfType<FaultPoint>().ToList();

        // A process that dies by itself has an order, or a message that kills.
        var stuck = Failures.Count() + byThemselves.Count - atSteps.Count + _flood.Unfinished;
        foreach (var failure in Failures)
        {
            _output.WriteLine(failure);
        }

        _output.WriteLine("steps " + string.Join(' ', atSteps.CountBy(static step => step).OrderBy(static step => step.Key).Select(static step => $"{step.Key}:{step.Value}")));
        _output.WriteLine(
            $"kills {Kills} random {random} bymessages {Kills - random - byThemselves.Count} atsteps {atSteps.Count} messages {mischief.Count} handled {Sum(static one => one.Handled)} " +
            $"flagged {Sum(static one => one.Flagged)} letters {Sum(static one => one.Letters)} parked {Sum(static one => one.Parked)} exact {Sum(static one => one.Exact)} overtaken {Sum(static one => one.Overtaken)} " +
            $"lost {Sum(static one => one.Lost)} unflagged {Sum(static one => one.Unflagged)} disordered {Sum(static one => one.Disordered)} unparked {Sum(static one => one.Unparked)} stuck {stuck}");
        var faults = Sum(static one => one.Lost + one.Unflagged + one.Disordered + one.Unparked) + stuck;
        return faults == 0 && Kills != 0 && mischief.Count != 0 ? 0 : 1;

        long Sum(Func<HandlerCheck, long> number) => checks.Sum(number);
    }
}
