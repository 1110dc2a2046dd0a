using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// How long a wait polls before it sleeps. Two sides that answer each other must not fall asleep because one of them was late once: waking one would make it
/// late for the other, and so on forever. Polling for as long as a wake-up takes costs at most twice the best choice; this is the rule of
/// competitive spinning (Karlin, Li, Manasse, Owicki: Empirical studies of competitive spinning for a shared-memory multiprocessor, 1991).
/// </summary>
internal struct SpinBudget
{
    private static readonly long Longest = OfMicroseconds(400);
    private static readonly long FirstWakeCost = OfMicroseconds(50);

    // A few long sleeps in a row bring the time below this.
    private static readonly long TooShort = OfMicroseconds(5);

    private long _wakeCost = FirstWakeCost;

    public SpinBudget()
    {
    }

    /// <summary>The time to poll before a sleep, in ticks of the stopwatch.</summary>
    public long Ticks { get; private set; } = 2 * FirstWakeCost;

    /// <summary>False while messages arrive so slowly that a wait should sleep soon.</summary>
    public readonly bool IsWorthwhile => Ticks > TooShort;

    private readonly long Worthwhile => Math.Min(2 * _wakeCost, Longest);

    /// <summary>Learns from a sleep.</summary>
    /// <param name="slept">How long it was, the wake-up included.</param>
    /// <param name="wakeCost">The time from the wake until the sleeper ran; 0 if that is not known.</param>
    public void Count(long slept, long wakeCost)
    {
        if (wakeCost > 0)
        {
            // A sleeper that runs late because all cores are busy says nothing about the cost, so a longer time counts for less.
            var change = Math.Min(wakeCost, Longest) - _wakeCost;
            _wakeCost += change < 0 ? change / 4 : change / 64;
        }

        Ticks = slept - _wakeCost <= Worthwhile ? Worthwhile : Ticks / 2;
    }

    /// <summary>Learns from a wait that timed out. It learns nothing from a short timeout, which does not tell when the message would have come.</summary>
    /// <param name="slept">The total time that it slept.</param>
    public void CountTimeout(long slept)
    {
        if (slept > Worthwhile)
        {
            Ticks /= 2;
        }
    }

    private static long OfMicroseconds(long time) => Stopwatch.Frequency / 1_000_000 * time;
}
