namespace BufferedMessages.Segments;

/// <summary>Sleeping until a 32-bit word in mapped memory changes. Instances hold no state and are thread-safe.</summary>
internal abstract class WordWait
{
    /// <summary>The switch that selects polling although the kernel has futexes; for tests.</summary>
    public const string PollingSwitch = "BufferedMessages.UsePolling";

    /// <summary>The best way on this machine.</summary>
    public static WordWait ForThisMachine() =>
        LinuxKernel.IsSupported && !(AppContext.TryGetSwitch(PollingSwitch, out var polling) && polling)
            ? new FutexWait()
            : new PollingWait();

    /// <summary>Whether a sleeper must be woken, and so be counted as a waiter.</summary>
    public abstract bool NeedsWake { get; }

    /// <summary>Sleeps while the word holds <paramref name="seen"/>; may return early, the caller looks again.</summary>
    /// <param name="word">A word in mapped memory.</param>
    /// <param name="seen">Its value when the caller last looked.</param>
    /// <param name="limit">The longest sleep.</param>
    /// <param name="round">The number of earlier sleeps of the same wait.</param>
    public abstract void Wait(ref uint word, uint seen, TimeSpan limit, int round);

    /// <summary>Wakes all sleepers of all processes.</summary>
    public abstract void WakeAll(ref uint word);
}
