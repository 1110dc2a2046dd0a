using System.Collections.Concurrent;
using BufferedMessages.Segments;

namespace BufferedMessages.Hosting.Torture;

/// <summary>A place for a process with handlers: one runs at a time, dies, and is followed by the next.</summary>
internal sealed class WorkerSlot(string directory, TortureOptions options, int slot)
{
    /// <summary>The exit code of a process that SIGKILL ended.</summary>
    private const int KilledExitCode = 137;

    // Milliseconds.
    private const int LongestLife = 500;
    private const int LongestFaultyLife = 1_500;
    private const int LongestStart = 1_000;

    private static readonly TimeSpan Watch = TimeSpan.FromMilliseconds(100);

    /// <summary>The steps that workers come to with each message, or with each dead letter.</summary>
    private static readonly FaultPoint[] HandlingSteps =
    [
        FaultPoint.BeforeCursorStore, FaultPoint.AfterCursorStore, FaultPoint.ReadPositionStored, FaultPoint.MidRead,
        FaultPoint.MemberAnnounced, FaultPoint.MemberConfirmed, FaultPoint.MemberClaimed, FaultPoint.MemberFinishing, FaultPoint.MemberFinished,
        FaultPoint.TakeoverLeased, FaultPoint.TakeoverDelivering, FaultPoint.TakeoverCleared,
        FaultPoint.BeforeClaim, FaultPoint.AfterClaim, FaultPoint.MidPayload, FaultPoint.BeforePublish, FaultPoint.AfterPublish,
    ];

    private static readonly FaultPoint[] AllSteps = Enum.GetValues<FaultPoint>();

    private readonly Random _random = new(options.Seed + slot);
    private readonly ConcurrentQueue<WorkerLife> _lives = new();
    private readonly ConcurrentQueue<string> _failures = new();

    /// <summary>The lives that ended.</summary>
    public IReadOnlyCollection<WorkerLife> Lives => _lives;

    /// <summary>How many processes were killed, by the checker or by themselves.</summary>
    public int Kills => _lives.Count(static life => life.End != LifeEnd.Stopped);

    /// <summary>The failures, in words.</summary>
    public IReadOnlyCollection<string> Failures => _failures;

    /// <summary>Runs process after process, and kills them. When the killing is over, they only die by themselves, until all is handled; then the last one stops.</summary>
    public void Run(Func<bool> isKilling, Func<bool> isHandled)
    {
        while (!isHandled() && _failures.IsEmpty)
        {
            var number = (_lives.Count * 2) + slot;
            var step = isKilling() && _random.Next(2) == 0 ? DrawStep() : null;
            using var process = PartProcess.Start(step?.ToString() ?? "", WorkerPart.Arguments(directory, number, options.Fault));
            var end = isKilling() ? KillLater(process, step is not null) : Watch(process, isHandled);
            if (end == LifeEnd.ByItself && process.ExitCode != KilledExitCode)
            {
                _failures.Enqueue($"Process {number} ended with code {process.ExitCode}: {process.Errors}");
            }

            _lives.Enqueue(new WorkerLife(number, end, step?.Point));
        }

        LifeEnd Watch(PartProcess process, Func<bool> isOver)
        {
            while (!process.AwaitEnd(WorkerSlot.Watch))
            {
                if (isOver())
                {
                    Stop(process);
                    return LifeEnd.Stopped;
                }
            }

            return LifeEnd.ByItself;
        }
    }

    private FaultOrder DrawStep()
    {
        var points = _random.Next(3) == 0 ? AllSteps : HandlingSteps;
        var hit = _random.Next(_random.Next(3) switch { 0 => 1, 1 => 10, _ => 100 }) + 1;
        return new FaultOrder(points[_random.Next(points.Length)], hit, FaultAction.Kill);
    }

    private LifeEnd KillLater(PartProcess process, bool isFaulty)
    {
        if (_random.Next(8) == 0)
        {
            // It may not have started.
            process.AwaitEnd(TimeSpan.FromMilliseconds(_random.Next(LongestStart)));
        }
        else if (!process.AwaitReady())
        {
            _failures.Enqueue("A process did not get ready.");
        }
        else
        {
            process.AwaitEnd(TimeSpan.FromMilliseconds(_random.Next(isFaulty ? LongestFaultyLife : LongestLife)));
        }

        if (process.HasExited)
        {
            return LifeEnd.ByItself;
        }

        process.Kill();
        return LifeEnd.Killed;
    }

    private void Stop(PartProcess process)
    {
        if (!process.AwaitReady() || !process.Stop())
        {
            _failures.Enqueue("A process did not stop.");
        }
        else if (process.ExitCode != 0)
        {
            _failures.Enqueue($"A process stopped with code {process.ExitCode}: {process.Errors}");
        }
    }
}

/// <summary>How the life of a process ended.</summary>
internal enum LifeEnd
{
    /// <summary>The checker killed it.</summary>
    Killed,

    /// <summary>A message or a step of the protocol killed it, or it failed.</summary>
    ByItself,

    /// <summary>It stopped when it was told to.</summary>
    Stopped,
}

/// <summary>The life of a process.</summary>
/// <param name="Number">Its number in the journal.</param>
/// <param name="End">Its end.</param>
/// <param name="Step">The step at which it had the order to kill itself.</param>
internal sealed record WorkerLife(int Number, LifeEnd End, FaultPoint? Step);
