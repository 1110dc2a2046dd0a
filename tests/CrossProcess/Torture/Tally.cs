using System.Globalization;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>The counts of one or more rounds.</summary>
internal sealed class Tally
{
    public long Kills { get; set; }

    public long Pauses { get; set; }

    public long Messages { get; set; }

    public long Lost { get; set; }

    /// <summary>Batches of which a part was seen without the rest.</summary>
    public long Halved { get; set; }

    public long Corrupt { get; set; }

    /// <summary>How many inspections of the queue came to their end.</summary>
    public long Inspections { get; set; }

    public long Disordered { get; set; }

    public long Unflagged { get; set; }

    public long Stalled { get; set; }

    public List<Resumption> Resumptions { get; } = [];

    /// <summary>From a publish to the wake-up of who waited for it: counts by powers of two of a microsecond.</summary>
    public long[] Wakes { get; } = new long[RoundNotes.LatencyBuckets];

    public bool IsClean => Lost + Halved + Corrupt + Disordered + Unflagged + Stalled == 0;

    public void Add(Tally other)
    {
        Kills += other.Kills;
        Pauses += other.Pauses;
        Messages += other.Messages;
        Lost += other.Lost;
        Halved += other.Halved;
        Corrupt += other.Corrupt;
        Inspections += other.Inspections;
        Disordered += other.Disordered;
        Unflagged += other.Unflagged;
        Stalled += other.Stalled;
        Resumptions.AddRange(other.Resumptions);
        for (var bucket = 0; bucket < Wakes.Length; bucket++)
        {
            Wakes[bucket] += other.Wakes[bucket];
        }
    }

    /// <summary>Describes the resumptions of some kind.</summary>
    /// <param name="kind">Which.</param>
    /// <param name="limit">Those that took longer are counted, and among them those that took longer by more than the machine was busy.</param>
    public string ResumptionText(Predicate<Resumption> kind, TimeSpan limit)
    {
        var times = Resumptions.FindAll(kind);
        times.Sort((first, second) => first.Time.CompareTo(second.Time));
        double Milliseconds(double percent) => times.Count == 0 ? 0 : times[(int)Math.Ceiling(percent / 100 * (times.Count - 1))].Time.TotalMilliseconds;
        var above = times.Count(resumption => resumption.Time > limit);
        var unexplained = times.Count(resumption => resumption.Time > limit + resumption.Lateness);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"p50 {Milliseconds(50):F1} ms, p90 {Milliseconds(90):F1} ms, p99 {Milliseconds(99):F1} ms, max {Milliseconds(100):F1} ms ({times.Count} measured; {above} above {limit.TotalMilliseconds} ms, {unexplained} of them by more than a timer was late)");
    }

    /// <summary>The same of wake-ups, in microseconds, rounded up to a power of two.</summary>
    public double WakeMicroseconds(double percent)
    {
        var rest = (long)(Wakes.Sum() * (1 - (percent / 100)));
        var bucket = Wakes.Length - 1;
        for (; bucket > 0 && rest >= Wakes[bucket]; bucket--)
        {
            rest -= Wakes[bucket];
        }

        return Math.Pow(2, bucket);
    }

    public override string ToString() =>
        $"kills {Kills} messages {Messages} lost {Lost} halved {Halved} corrupt {Corrupt} disordered {Disordered} unflagged {Unflagged} stalled {Stalled}";
}
