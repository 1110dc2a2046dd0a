using System.Diagnostics;

namespace BufferedMessages.Hosting.Torture;

/// <summary>The work of the handlers of a process: it writes the journal, and has the effects that messages ask for.</summary>
internal sealed class HandlerWork(Journal journal, int life, PlantedFault fault)
{
    private const int LongestRest = 1_000; // microseconds

    /// <summary>Whether the handlers return before their work, so that messages are committed first.</summary>
    public bool ReturnsFirst => fault == PlantedFault.CommitFirst;

    /// <summary>Begins an attempt.</summary>
    public Attempt Begin(int handler, long number, int mischief, MessageContext context)
    {
        var attempt = new Attempt(handler, number, Mischiefs.Of(mischief, handler), context.Attempt, context.IsRedelivery && fault != PlantedFault.NoFlag);
        KillAt(attempt, Mischief.KillFirst);
        Note(attempt, HandlerStep.Begun);
        KillAt(attempt, Mischief.KillBegun);
        if (number % 2 == 0)
        {
            Fail(attempt);
        }

        return attempt;
    }

    /// <summary>Ends an attempt, after the await.</summary>
    public void End(in Attempt attempt)
    {
        KillAt(attempt, Mischief.KillAfterAwait);
        Fail(attempt);
        Note(attempt, HandlerStep.Done);
        KillAt(attempt, Mischief.KillDone);
        if (attempt.Mischief == Mischief.KillReturned && attempt.Count == 1)
        {
            Note(attempt, HandlerStep.Kill);
            var rest = TimeSpan.FromMicroseconds(Random.Shared.Next(LongestRest));
            new Thread(() => KillAfter(rest)) { IsBackground = true }.Start();
        }
    }

    private static void Fail(in Attempt attempt)
    {
        if (attempt.Mischief == Mischief.Throw || (attempt.Mischief == Mischief.ThrowOnce && attempt.Count == 1))
        {
            throw new InvalidOperationException($"Message {attempt.Number} fails.");
        }
    }

    private static void KillAfter(TimeSpan rest)
    {
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < rest;)
        {
            Thread.Yield();
        }

        Kill();
    }

    private static void Kill()
    {
        Process.GetCurrentProcess().Kill();
        Thread.Sleep(Timeout.Infinite);
    }

    // A message that kills at every attempt does so at one of three steps.
    private void KillAt(in Attempt attempt, Mischief step)
    {
        var isFatal = attempt.Mischief == Mischief.KillAlways
            ? step == Mischief.KillFirst + (int)(attempt.Number % 3)
            : attempt.Mischief == step && attempt.Count == 1;
        if (isFatal)
        {
            Note(attempt, HandlerStep.Kill);
            Kill();
        }
    }

    private void Note(in Attempt attempt, HandlerStep step) => journal.Add(new JournalRecord(attempt.Number, life, attempt.Handler, step, attempt.Count, attempt.IsRedelivery));

    /// <summary>An attempt at a message.</summary>
    internal readonly record struct Attempt(int Handler, long Number, Mischief Mischief, int Count, bool IsRedelivery);
}
