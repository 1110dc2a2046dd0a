using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// How long a wait looks before it sleeps. Two sides that answer each other must not fall asleep because one of them was late once: the wake-up of one would be too
/// late for the other, and so on for ever. Looking for as long as a wake-up takes costs no more than twice the best choice; this is the rule of
/// competitive spinning (Karlin, Li, Manasse, Owicki: Empirical studies of competitive spinning for a shared-memory multiprocessor, 1991).
/// </summary>
internal struct SpinBudget
{
    private static readonly long Longest = OfMicroseconds(400);
    private static readonly long FirstWakeCost = OfMicroseconds(50);

    // Some long sleeps in a row bring the time below this.
    private static readonly long TooShort = OfMicroseconds(5);

    private long _wakeCost = FirstWakeCost;

    public SpinBudget()
    {
    }

    /// <summary>The time to look for before a sleep, in ticks of the stopwatch.</summary>
    public long Ticks { get; private set; } = 2 * FirstWakeCost;

    /// <summary>False while messages come so slowly that a wait had better sleep soon.</summary>
    public readonly bool IsWorthwhile => Ticks > TooShort;

    private readonly long Worthwhile => Math.Min(2 * _wakeCost, Longest);

    /// <summary>Learns from a sleep.</summary>
    /// <param name="slept">How long it was, the wake-up included.</param>
    /// <param name="wakeCost">The time from the wake until the sleeper ran; 0 if that is not known.</param>
    public void Count(long slept, long wakeCost)
    {
        if (wakeCost > 0)
        {
            // A sleeper that runs late, because all cores are busy, says nothing of the cost: a longer time counts for less.
            var change = Math.Min(wakeCost, Longest) - _wakeCost;
            _wakeCost += change < 0 ? change / 4 : change / 64;
        }

        Ticks = slept - _wakeCost <= Worthwhile ? Worthwhile : Ticks / 2;
    }

    /// <summary>Learns from a wait whose time was over; from a short time nothing, since it does not tell when the message would have come.</summary>
    /// <param name="slept">How long its sleeps were.</param>
    public void CountTimeout(long slept)
    {
        if (slept > Worthwhile)
        {
            Ticks /= 2;
        }
    }

    private static long OfMicroseconds(long time) => Stopwatch.Frequency / 1_000_000 * time;
}
