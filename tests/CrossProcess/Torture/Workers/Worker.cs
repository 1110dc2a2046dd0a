using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>A process of a round: gets its role as a line, plays it until the round ends or it is killed.</summary>
internal static class Worker
{
    private static readonly TimeSpan OpeningPatience = TimeSpan.FromSeconds(30);

    /// <summary>The entry point.</summary>
    public static void Run(string[] arguments)
    {
        if (Console.In.ReadLine() is not { } line)
        {
            return;
        }

        var role = WorkerRole.Parse(line);

        // Never unmapped: threads of this process may still look at them.
        var notes = new RoundNotes(role.Notes);
        try
        {
            FaultPoints.Pausing = isPaused => Volatile.Write(ref notes.WorkerAt(role.Index).IsPaused, isPaused);
            FaultPoints.Reached = role.IsRecorded ? point => notes.Reached(role.Kind, point) = true : null;
            StartBeating(notes, role.Index);
            FaultPoints.Arm(role.Faults);
            notes.WorkerAt(role.Index).State = WorkerState.Opening;
            if (role.Kind == WorkerKind.Producer)
            {
                new ProducerWorker(role, notes).Run();
            }
            else
            {
                new ConsumerWorker(role, notes, CancelOnDrain(notes)).Run();
            }
        }
        catch (Exception exception)
        {
            notes.Fault(ref notes.Head.Corrupt, $"{role}: {exception}");
        }

        notes.WorkerAt(role.Index).State = WorkerState.Ended;
    }

    private static void StartBeating(RoundNotes notes, int index)
    {
        var thread = new Thread(() =>
        {
            while (true)
            {
                Thread.Sleep(ResumptionWatch.Beat);
                Interlocked.Increment(ref notes.WorkerAt(index).Beats);
            }
        })
        {
            IsBackground = true,
        };
        thread.Start();
    }

    private static CancellationToken CancelOnDrain(RoundNotes notes)
    {
        var source = new CancellationTokenSource();
        var thread = new Thread(() =>
        {
            while (!notes.Head.Drain)
            {
                Thread.Sleep(20);
            }

            source.Cancel();
        })
        {
            IsBackground = true,
        };
        thread.Start();
        return source.Token;
    }

    /// <summary>Opens something that a dead process may just have had.</summary>
    public static T Open<T>(RoundNotes notes, Func<T> open)
    {
        var start = System.Diagnostics.Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return open();
            }
            catch (QueueInUseException exception)
            {
                if (System.Diagnostics.Stopwatch.GetElapsedTime(start) > OpeningPatience && !notes.Head.Stop)
                {
                    notes.Fault(ref notes.Head.Stalled, exception.Message);
                    throw;
                }

                Thread.Sleep(1);
            }
        }
    }
}
