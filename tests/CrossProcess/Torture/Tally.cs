namespace BufferedMessages.CrossProcess.Torture;

/// <summary>The counts of one or more rounds.</summary>
internal sealed class Tally
{
    public long Kills { get; set; }

    public long Pauses { get; set; }

    public long Messages { get; set; }

    public long Lost { get; set; }

    public long Corrupt { get; set; }

    public long Disordered { get; set; }

    public long Unflagged { get; set; }

    public long Stalled { get; set; }

    public List<Resumption> Resumptions { get; } = [];

    /// <summary>From a publish to the wake-up of who waited for it: counts by powers of two of a microsecond.</summary>
    public long[] Wakes { get; } = new long[RoundNotes.LatencyBuckets];

    public bool IsClean => Lost + Corrupt + Disordered + Unflagged + Stalled == 0;

    public void Add(Tally other)
    {
        Kills += other.Kills;
        Pauses += other.Pauses;
        Messages += other.Messages;
        Lost += other.Lost;
        Corrupt += other.Corrupt;
        Disordered += other.Disordered;
        Unflagged += other.Unflagged;
        Stalled += other.Stalled;
        Resumptions.AddRange(other.Resumptions);
        for (var bucket = 0; bucket < Wakes.Length; bucket++)
        {
            Wakes[bucket] += other.Wakes[bucket];
        }
    }

    /// <summary>The resumption time that so many percent did not pass.</summary>
    public double ResumptionMilliseconds(double percent)
    {
        var sorted = Resumptions.Select(resumption => resumption.Time.TotalMilliseconds).Order().ToList();
        return sorted.Count == 0 ? 0 : sorted[(int)Math.Ceiling(percent / 100 * (sorted.Count - 1))];
    }

    /// <summary>How many took longer than this, and how many of those while the machine was not busy.</summary>
    public (int All, int Unexplained) ResumptionsAbove(TimeSpan limit)
    {
        var above = Resumptions.FindAll(resumption => resumption.Time > limit);
        return (above.Count, above.Count(resumption => resumption.Time > limit + resumption.Lateness));
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
        $"kills {Kills} messages {Messages} lost {Lost} corrupt {Corrupt} disordered {Disordered} unflagged {Unflagged} stalled {Stalled}";
}
