namespace BufferedMessages.Segments;

/// <summary>A wait that looks again after 50 microseconds, and less often the longer it takes, down to every 2 milliseconds.</summary>
internal sealed class PollingWait : WordWait
{
    private const int ShortRounds = 20;

    public override bool NeedsWake => false;

    public override void Wait(ref uint word, uint seen, TimeSpan limit, int round)
    {
        // The shortest sleep differs by platform: about 50 microseconds beyond the request on Linux, a timer tick on Windows.
        var pause = PauseOf(round);
        if (pause.TotalMilliseconds >= 1)
        {
            Thread.Sleep(pause < limit ? pause : limit);
            return;
        }

        var spin = new SpinWait();
        var start = System.Diagnostics.Stopwatch.GetTimestamp();
        while (Volatile.Read(ref word) == seen && System.Diagnostics.Stopwatch.GetElapsedTime(start) < pause)
        {
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    public override void WakeAll(ref uint word)
    {
    }

    /// <summary>The pause before the next look. After 50 days the number is negative.</summary>
    /// <param name="round">The number of earlier sleeps of the same wait.</param>
    internal static TimeSpan PauseOf(int round) => TimeSpan.FromMicroseconds((uint)round < ShortRounds ? 50 : 2_000);
}
