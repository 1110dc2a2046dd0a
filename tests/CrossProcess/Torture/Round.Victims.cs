using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>The part that kills one process after the other, each at the fault point that the plan says.</summary>
internal sealed partial class Round
{
    private const int MaxBaits = 20;
    private static readonly TimeSpan VictimPatience = TimeSpan.FromSeconds(30);

    /// <summary>The victim of the plan that did not come to its fault point; those behind it were not started.</summary>
    public Victim? Spared { get; private set; }

    /// <summary>The fault points that processes of a kind came to, if the plan has victims.</summary>
    public IEnumerable<FaultPoint> Reached(WorkerKind kind) => Points.Where(point => _notes.Reached(kind, point));

    /// <summary>Starts a process at which a fault is ordered, and waits until it has died of it; false when it does not come to that point.</summary>
    private bool TrySacrifice(Victim victim)
    {
        // Beside the others there is room for another member, and for another one of many producers.
        var isReplaced = victim.Kind == WorkerKind.Consumer || IsOnlyProducer(victim);
        if (isReplaced)
        {
            Remove(victim.Kind, victim.Name);
        }

        var process = Start(victim.Kind, victim.Name, victim.Order.ToString());
        if (victim.Bait is { } bait)
        {
            PutOut(bait, process);
        }

        var hasDied = Await(() => process.HasExited, VictimPatience);
        if (!hasDied)
        {
            process.Kill();
            Await(() => process.HasExited);
        }

        if (!isReplaced)
        {
            Bury(process);
        }

        Step();
        if (!Await(() => _watch.IsIdle))
        {
            _notes.Fault(ref _notes.Head.Stalled, $"the others did not go on after {victim}");
        }

        return hasDied;
    }

    private bool IsOnlyProducer(Victim victim) => victim.Kind == WorkerKind.Producer && _plan.Options.Producers == ProducerMode.Single;

    /// <summary>Kills one who plays a part, so that another can play it.</summary>
    private void Remove(WorkerKind kind, int name)
    {
        var incumbent = _workers.Find(worker => worker.Role!.Kind == kind && worker.Role.Name == name)!;
        incumbent.Kill();
        Await(() => incumbent.HasExited);
        Bury(incumbent);
    }

    // Somebody else may take care of the dead one first: then it takes another.
    private void PutOut(Victim bait, WorkerProcess victim)
    {
        var isInPlace = IsOnlyProducer(bait);
        if (isInPlace)
        {
            Remove(bait.Kind, bait.Name);
        }

        for (var tries = 0; tries < MaxBaits && !victim.HasExited; tries++)
        {
            var dying = Start(bait.Kind, bait.Name, bait.Order.ToString());
            Await(() => dying.HasExited || victim.HasExited);
            dying.Kill();
            Await(() => dying.HasExited);
            Bury(dying);
            var start = Stopwatch.GetTimestamp();
            Await(() => victim.HasExited || Stopwatch.GetElapsedTime(start).TotalMilliseconds > 100);
        }

        if (isInPlace)
        {
            Start(bait.Kind, bait.Name, "");
        }
    }
}
