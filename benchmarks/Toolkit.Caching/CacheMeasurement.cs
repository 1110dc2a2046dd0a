using System.Diagnostics;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>Measures one operation of contenders, in turns.</summary>
internal static class CacheMeasurement
{
    public const string Read = "read";
    public const string ReadTogether = "read 256 at once";
    public const string Write = "write";
    public const string WriteTogether = "write 256 at once";
    public const string Mix = "half reads, half writes";
    public const string FirstWrite = "first write 256 at once";

    /// <summary>Keys of one call.</summary>
    public const int Batch = 256;

    private const int Rounds = 5;

    // Of a mix: reads, then writes. As many reads as FASTER has under way at once.
    private const int MixedRun = 64;

    /// <inheritdoc cref="RunInTurns"/>
    public static CacheFigures Run(ICacheContender contender, string operation, IReadOnlyList<int[]> sequences, int valueBytes, TimeSpan time) =>
        RunInTurns([contender], operation, sequences, valueBytes, time)[0];

    /// <summary>Runs threads in rounds, of which the median counts, then once more with a clock around each operation. In each round all contenders take their turn.</summary>
    /// <param name="contenders">The contenders.</param>
    /// <param name="operation">What the threads do.</param>
    /// <param name="sequences">The keys of each thread.</param>
    /// <param name="valueBytes">Bytes of a value.</param>
    /// <param name="time">How long all rounds of a contender are together.</param>
    /// <returns>The figures of each contender.</returns>
    public static IReadOnlyList<CacheFigures> RunInTurns(IReadOnlyList<ICacheContender> contenders, string operation, IReadOnlyList<int[]> sequences, int valueBytes, TimeSpan time)
    {
        var rounds = contenders.Select(static _ => new List<Part[]>()).ToList();
        var allocated = new long[contenders.Count];
        foreach (var contender in contenders)
        {
            _ = RunThreads(contender, sequences, (session, keys) => Repeat(session, operation, keys, keys.Length / 2, valueBytes, time / 2, long.MaxValue));
        }

        for (var round = 0; round < Rounds; round++)
        {
            for (var i = 0; i < contenders.Count; i++)
            {
                // The turns of others have taken the processor's caches, and the host of a virtual machine may have taken back memory that was not used during them. So all keys are asked for once, except
                // those that are measured next, which would be in memory then.
                _ = RunThreads(contenders[i], sequences, (session, keys) => Repeat(session, operation, keys, keys.Length / Rounds * (round + 1), valueBytes, time, keys.Length / Rounds * (Rounds - 1)));
                var (parts, bytes) = RunThreads(contenders[i], sequences, (session, keys) => Repeat(session, operation, keys, keys.Length / Rounds * round, valueBytes, time / Rounds, long.MaxValue));
                rounds[i].Add(parts);
                allocated[i] += bytes;
            }
        }

        return [.. contenders.Select((contender, i) => Summarize(
            rounds[i], allocated[i], RunThreads(contender, sequences, (session, keys) => Time(session, operation, keys, valueBytes, time / 3)).Parts))];
    }

    /// <summary>Writes keys, each as often as it is there, in one thread.</summary>
    public static CacheFigures WriteAll(ICacheContender contender, int[] keys, int valueBytes)
    {
        using var session = contender.NewSession();
        var value = CacheValue.New(valueBytes);
        var ticks = new List<long>((keys.Length / Batch) + 1);
        var allocated = GC.GetTotalAllocatedBytes(precise: true);
        var start = Stopwatch.GetTimestamp();
        for (var rest = keys.AsSpan(); !rest.IsEmpty;)
        {
            var batch = rest[..Math.Min(Batch, rest.Length)];
            var before = Stopwatch.GetTimestamp();
            session.WriteTogether(batch, value);
            ticks.Add((Stopwatch.GetTimestamp() - before) / batch.Length);
            rest = rest[batch.Length..];
        }

        var part = new Part(keys.Length, 0, Stopwatch.GetElapsedTime(start), ticks);
        return Summarize([[part]], GC.GetTotalAllocatedBytes(precise: true) - allocated, [part]);
    }

    private static CacheFigures Summarize(List<Part[]> rounds, long allocated, Part[] timed)
    {
        var ticks = timed.SelectMany(static thread => thread.Ticks).Order().ToArray();
        return new CacheFigures
        {
            OperationsPerSecond = rounds.Select(static round => round.Sum(static thread => thread.Operations / thread.Elapsed.TotalSeconds)).Order().ElementAt(rounds.Count / 2),
            P50 = Nanoseconds(ticks[ticks.Length / 2]),
            P99 = Nanoseconds(ticks[(int)(ticks.Length * 0.99)]),
            AllocatedBytes = Math.Round((double)allocated / rounds.Sum(static round => round.Sum(static thread => thread.Operations)), 1),
            Misses = rounds.Sum(static round => round.Sum(static thread => thread.Misses)),
        };
    }

    // The managed bytes are those of the runs, without threads and sessions.
    private static (Part[] Parts, long AllocatedBytes) RunThreads(ICacheContender contender, IReadOnlyList<int[]> sequences, Func<ICacheSession, int[], Part> run)
    {
        var parts = new Part[sequences.Count];
        var allocated = 0L;
        using var start = new Barrier(sequences.Count, _ => allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated);
        var threads = sequences.Select((keys, number) => new Thread(() =>
        {
            using var session = contender.NewSession();
            start.SignalAndWait();
            parts[number] = run(session, keys);
            start.SignalAndWait();
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return (parts, allocated);
    }

    // Each round asks for other keys: the same again would be in every cache.
    private static Part Repeat(ICacheSession session, string operation, int[] keys, int first, int valueBytes, TimeSpan time, long most)
    {
        var value = CacheValue.New(valueBytes);
        var start = Stopwatch.GetTimestamp();
        var operations = 0L;
        var hits = 0L;
        while (operations < most && Stopwatch.GetElapsedTime(start) < time)
        {
            var batch = keys.AsSpan((int)((first + operations) % (keys.Length - Batch)), Batch);
            hits += RunOnce(session, operation, batch, value);
            operations += Batch;
        }

        return new Part(operations, operations - hits, Stopwatch.GetElapsedTime(start), []);
    }

    private static Part Time(ICacheSession session, string operation, int[] keys, int valueBytes, TimeSpan time)
    {
        const int MaxTicks = 300_000;
        var value = CacheValue.New(valueBytes);
        var ticks = new List<long>(MaxTicks);
        var start = Stopwatch.GetTimestamp();
        var count = 0;
        for (var last = start; count < MaxTicks && Stopwatch.GetElapsedTime(start, last) < time; count++)
        {
            // From the other end: the keys that were not just asked for.
            var size = operation is ReadTogether or WriteTogether ? Batch : 1;
            var batch = keys.AsSpan(keys.Length - size - (count * size % (keys.Length - size)), size);
            var before = Stopwatch.GetTimestamp();
            if (operation == Read || (operation == Mix && count % 2 == 0))
            {
                session.Read(batch[0]);
            }
            else if (operation == Mix)
            {
                session.WriteMany(batch, value);
            }
            else
            {
                RunOnce(session, operation, batch, value);
            }

            last = Stopwatch.GetTimestamp();
            ticks.Add((last - before) / size);
        }

        return new Part(count, 0, default, ticks);
    }

    private static int RunOnce(ICacheSession session, string operation, ReadOnlySpan<int> keys, Span<byte> value)
    {
        switch (operation)
        {
            case Read:
                return session.ReadMany(keys);
            case ReadTogether:
                return session.ReadTogether(keys);
            case WriteTogether:
                session.WriteTogether(keys, value);
                return keys.Length;
            case Mix:
                return RunMixed(session, keys, value);
            default:
                session.WriteMany(keys, value);
                return keys.Length;
        }
    }

    private static int RunMixed(ICacheSession session, ReadOnlySpan<int> keys, Span<byte> value)
    {
        var hits = 0;
        for (; keys.Length >= 2 * MixedRun; keys = keys[(2 * MixedRun)..])
        {
            hits += session.ReadMany(keys[..MixedRun]);
            session.WriteMany(keys[MixedRun..(2 * MixedRun)], value);
            hits += MixedRun;
        }

        return hits;
    }

    private static long Nanoseconds(long ticks) => ticks * 1_000_000_000 / Stopwatch.Frequency;

    private readonly record struct Part(long Operations, long Misses, TimeSpan Elapsed, List<long> Ticks);
}
