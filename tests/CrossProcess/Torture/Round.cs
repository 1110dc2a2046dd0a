using System.Diagnostics;
using BufferedMessages.Running;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>One round: processes publish and read, are killed, paused and replaced; then all is read to the end and checked.</summary>
internal sealed partial class Round : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly FaultPoint[] Points = Enum.GetValues<FaultPoint>();

    private readonly RoundPlan _plan;
    private readonly Random _random;
    private readonly WorkerPool _pool;
    private readonly string _directory;
    private readonly RoundNotes _notes;
    private readonly ResumptionWatch _watch;
    private readonly List<WorkerProcess> _workers = [];
    private readonly Tally _tally = new();
    private int _started;
    private long _nextStrike;

    // The next blow comes before it is known that the others go on after the last one.
    private bool _isImpatient;

    public Round(RoundPlan plan, int seed, WorkerPool pool, string directory)
    {
        _plan = plan;
        _random = new Random(seed);
        _pool = pool;
        _directory = Directory.CreateDirectory(directory).FullName;
        _notes = new RoundNotes(Path.Combine(directory, "notes"));
        _watch = new ResumptionWatch(_notes, plan.Members.Count);
    }

    /// <summary>The faults in words.</summary>
    public string Report => _notes.Report;

    /// <summary>The queue's directory.</summary>
    public string Queue => Path.Combine(_directory, "queue");

    public void Dispose()
    {
        _workers.ForEach(worker => worker.Dispose());
        _notes.Dispose();
    }

    public Tally Run()
    {
        using var crowd = new Crowd(Queue, _plan);
        using var inspections = _plan.IsInspected ? new InspectionWatch(Queue, _notes) : null;
        StartAll();
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < _plan.Duration && _tally.Kills < _plan.MaxDeaths && !_notes.HasFaults)
        {
            Thread.Sleep(1);
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            Step();
            if (_plan.HasRandomFaults && (_watch.IsIdle || _isImpatient) && Stopwatch.GetTimestamp() > _nextStrike)
            {
                Strike();
            }
        }

        Spared = _plan.Victims.FirstOrDefault(victim => !TrySacrifice(victim));

        End();
        _tally.Inspections = inspections?.Inspections ?? 0;
        new RoundEnd(_plan, _notes, _tally).Check(Queue);
        return _tally;
    }

    private void StartAll()
    {
        for (var i = 0; i < _plan.Producers; i++)
        {
            Start(WorkerKind.Producer, 0, RandomFault());
        }

        for (var name = 0; name < _plan.Members.Count; name++)
        {
            for (var i = 0; i < Math.Max(_plan.Members[name], 1); i++)
            {
                Start(_plan.Members[name] == 0 ? WorkerKind.Consumer : WorkerKind.Member, name, RandomFault());
            }
        }
    }

    /// <summary>Replaces who died, lets the paused go on, and looks whether the others do.</summary>
    private void Step()
    {
        foreach (var worker in _workers.ToList())
        {
            worker.ResumeInTime();
            if (worker.HasExited)
            {
                Bury(worker);
                Start(worker.Role!.Kind, worker.Role.Name, RandomFault());
            }
        }

        Look();
    }

    private void Look()
    {
        if (!_notes.Head.IsBegun)
        {
            Volatile.Write(ref _notes.Head.IsBegun, Enumerable.Range(0, _plan.Members.Count).All(name => Volatile.Read(ref _notes.Head.Openings[name]) > 0));
        }

        _pool.Refill();
        if (_watch.Look(CanGoOn(atWork: false), CanGoOn(atWork: true), _workers.Select(static worker => worker.Role!.Index)))
        {
            _notes.Fault(ref _notes.Head.Stalled, $"nothing went on for {ResumptionWatch.Limit.TotalSeconds} s after a death: {Describe()}");
        }

        if (_watch.Taken is { } time)
        {
            _tally.Resumptions.Add(new Resumption(time, _watch.AreAtWork, _watch.Lateness));
        }
    }

    private void Strike()
    {
        _nextStrike = Stopwatch.GetTimestamp() + _random.NextInt64(Stopwatch.Frequency / 20);
        _isImpatient = _random.Next(3) == 0;
        var worker = _workers[_random.Next(_workers.Count)];
        if (worker.IsStopped || (_random.Next(4) != 0 && StateOf(worker).State != WorkerState.Running))
        {
            return;
        }

        if (_random.Next(6) == 0)
        {
            _tally.Pauses++;
            worker.Pause(TimeSpan.FromMilliseconds(_random.Next(1, 120)));
        }
        else
        {
            worker.Kill();
        }
    }

    private bool Await(Func<bool> condition, TimeSpan? patience = null)
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > (patience ?? Patience))
            {
                return false;
            }

            Thread.Sleep(1);
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            Look();
        }

        return true;
    }

    private void End()
    {
        _workers.ForEach(worker => worker.Resume());
        Volatile.Write(ref _notes.Head.Stop, true);
        AwaitExit(worker => worker.Role!.Kind == WorkerKind.Producer);
        Volatile.Write(ref _notes.Head.Drain, true);
        AwaitExit(_ => true);
    }

    private void AwaitExit(Predicate<WorkerProcess> which)
    {
        var start = Stopwatch.GetTimestamp();
        while (_workers.FindAll(which) is { Count: > 0 } rest)
        {
            foreach (var worker in rest)
            {
                if (worker.HasExited)
                {
                    Bury(worker);
                }
                else if (Stopwatch.GetElapsedTime(start) > Patience)
                {
                    _notes.Fault(ref _notes.Head.Stalled, $"did not end: {worker.Role}: {Describe()}");
                    worker.Kill();
                    Thread.Sleep(100);
                }
            }

            // Consumers that died meanwhile must be replaced: producers may wait for them.
            foreach (var worker in _workers.FindAll(worker => worker.HasExited && !_notes.Head.Drain && worker.Role!.Kind != WorkerKind.Producer))
            {
                Bury(worker);
                Start(worker.Role!.Kind, worker.Role.Name, "");
            }

            Thread.Sleep(1);
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
        }
    }

    private WorkerProcess Start(WorkerKind kind, int name, string faults)
    {
        var worker = _pool.Take();
        var planted = _plan.Planted == PlantedFault.None ? "" : $"{_plan.Planted};";
        worker.Play(new WorkerRole(_directory, _started++, _random.Next(), kind, name, _plan.Haste, _plan.IsCalm, IsRecorded: _plan.Victims.Count != 0, _plan.Options, $"{planted}{_plan.Orders.GetValueOrDefault(kind)};{faults}"));
        _workers.Add(worker);
        return worker;
    }

    private void Bury(WorkerProcess worker)
    {
        _workers.Remove(worker);
        if (worker.WasKilled)
        {
            _tally.Kills++;
            _watch.OnDeath();
        }
        else if (worker.HasFailed)
        {
            _notes.Fault(ref _notes.Head.Corrupt, $"ended by a failure: {worker.Role}");
        }

        worker.Dispose();
    }

    private string RandomFault()
    {
        if (!_plan.HasRandomFaults || _random.Next(2) == 0)
        {
            return "";
        }

        var hit = 1 << _random.Next(11);
        var order = new FaultOrder(
            Points[_random.Next(Points.Length)],
            _random.Next(1, hit + 1),
            _random.Next(3) == 0 ? FaultAction.Sleep : FaultAction.Kill,
            _random.Next(1, 100));
        return order.ToString();
    }

    /// <param name="atWork">Only who has published or read a message before plays a part: somebody new begins with code that is not compiled yet.</param>
    private bool CanGoOn(bool atWork)
    {
        var hasProducer = false;
        var hasConsumer = new bool[_plan.Members.Count];
        foreach (var worker in _workers)
        {
            ref var state = ref StateOf(worker);
            if (worker.IsStopped || state.IsPaused || worker.HasExited)
            {
                return false;
            }

            if (state.State == WorkerState.Running && (!atWork || Volatile.Read(ref state.Progress) != 0))
            {
                hasProducer |= worker.Role!.Kind == WorkerKind.Producer;
                hasConsumer[worker.Role!.Name] |= worker.Role.Kind != WorkerKind.Producer;
            }
        }

        return hasProducer && hasConsumer.All(has => has);
    }

    private ref RoundNotes.Worker StateOf(WorkerProcess worker) => ref _notes.WorkerAt(worker.Role!.Index);

    private string Describe() => string.Join("; ", _workers.Select(worker =>
        $"{worker.Role!.Kind} {worker.Role.Name} {StateOf(worker).State} {StateOf(worker).Progress} {(worker.HasExited ? "dead" : "")}"));
}
