using System.Diagnostics;
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

    public static async Task<int> RunAsync(string[] args, TextWriter output)
    {
        TortureOptions options;
        try
        {
            options = TortureOptions.Parse(args);
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException or OverflowException)
        {
            await output.WriteLineAsync(exception.Message + Environment.NewLine + TortureOptions.Help);
            return 2;
        }

        using var torture = new TortureCommand(options, output);
        return await torture.RunAsync();
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
        while ((clock.Elapsed.TotalSeconds < _options.Seconds || Kills < _options.Kills) && !Failures.Any())
        {
            await Task.Delay(Look);
        }

        await end.CancelAsync();
        await flood;
        _isKilling = false;
        await HandleRestAsync();
        _isOver = true;
        threads.ForEach(static thread => thread.Join());
        return Check();
    }

    private async Task HandleRestAsync()
    {
        var messages = _flood.Mischief.Count;
        var handled = new HandledSoFar(_directory, _journal, messages);
        var (last, idle) = (-1, 0);
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < Patience && idle < MostIdleLooks && !Failures.Any();)
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

    private int Check()
    {
        var mischief = _flood.Mischief;
        var checks = Enumerable.Range(0, HandlerNames.All.Length).Select(handler => new HandlerCheck(
            handler, [.. mischief.Select(one => Mischiefs.Of(one, handler))], _journal.Read(), Letter.Read(_directory, handler))).ToList();
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
