using System.Globalization;
using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>
/// The part that acts. A process takes its orders from the environment variable BUFFEREDMESSAGES_FAULTS, orders separated by semicolons and
/// planted faults by their names, or by <see cref="Arm"/>.
/// </summary>
internal static unsafe partial class FaultPoints
{
    public const string Variable = "BUFFEREDMESSAGES_FAULTS";

    private const int SignalKill = 9;
    private const int SignalStop = 19;

    // The race that a planted fault opens lasts for nanoseconds in nature. It is kept open until a waiter has lost it, and no longer than this.
    private static readonly TimeSpan LongestWakeRace = TimeSpan.FromMilliseconds(100);

    private static readonly TimeSpan LongSleep = TimeSpan.FromSeconds(1);

    private static readonly int[] Hits = new int[Enum.GetValues<FaultPoint>().Length];

    [ThreadStatic]
    private static ulong _earlyWaiters;

    private static FaultOrder[] _orders = [];
    private static PlantedFault _planted;

    static FaultPoints() => Arm(Environment.GetEnvironmentVariable(Variable) ?? "");

    /// <summary>Told before (true) and after a pause, by the thread that pauses.</summary>
    public static Action<bool>? Pausing { get; set; }

    /// <summary>Told each step that is done, before what is ordered for it.</summary>
    public static Action<FaultPoint>? Reached { get; set; }

    /// <summary>The longest wait of a semaphore; null leaves it at 24.8 days.</summary>
    public static TimeSpan? LongestWait { get; set; }

    /// <summary>Gives the process its orders, in place of all earlier ones. Steps are counted from here on.</summary>
    public static void Arm(string orders)
    {
        var parts = orders.Split(';', StringSplitOptions.RemoveEmptyEntries);
        _planted = parts.Where(part => !part.Contains(':')).Aggregate(PlantedFault.None, (all, part) => all | Enum.Parse<PlantedFault>(part));

        // Without orders no step is counted.
        _orders = [];
        Array.Clear(Hits);
        _orders = [.. parts.Where(part => part.Contains(':')).Select(FaultOrder.Parse)];
    }

    static partial void OnHit(FaultPoint point)
    {
        Reached?.Invoke(point);
        var orders = _orders;
        if (orders.Length == 0)
        {
            return;
        }

        var hit = Interlocked.Increment(ref Hits[(int)point]);
        foreach (var order in orders)
        {
            if (order.Point == point && (order.Hit == hit || (order.Hit < 0 && hit % -order.Hit == 0)))
            {
                Obey(order);
            }
        }
    }

    static partial void OnRobLiveOwner(ref bool isDead) => isDead |= Has(PlantedFault.RobLiveOwner);

    static partial void OnForgetLap(ref long segment) => segment = Has(PlantedFault.NoFreeWordPerLap) ? 0 : segment;

    static partial void OnReadClaimLast(ref long low, ref readonly long claim)
    {
        if (Has(PlantedFault.WatermarkReadsClaimLast))
        {
            // The in-flight words count as they were read; the claim word is read only now.
            var claimBefore = Volatile.Read(in claim);
            OnHit(FaultPoint.WatermarkBetweenWords);
            low = low == claimBefore ? Volatile.Read(in claim) : low;
        }
    }

    static partial void OnTrustFirstLook(ref bool hasRoom) => hasRoom |= Has(PlantedFault.WatermarkReadsClaimLast);

    static partial void OnReadWaitersEarly(ref readonly ulong waiters)
    {
        if (Has(PlantedFault.NoFenceBeforeWake))
        {
            _earlyWaiters = Volatile.Read(in waiters);
            AwaitWaiter(in waiters);
        }
    }

    static partial void OnReplaceWaiters(ref ulong waiters) => waiters = Has(PlantedFault.NoFenceBeforeWake) ? _earlyWaiters : waiters;

    static partial void OnSleepLonger(ref TimeSpan longest) => longest = Has(PlantedFault.LongSleeps) ? LongSleep : longest;

    static partial void OnShortenWaits(ref TimeSpan longest) => longest = LongestWait ?? longest;

    static partial void OnSplitBatch(ref bool isSplit) => isSplit = Has(PlantedFault.SplitBatches);

    private static bool Has(PlantedFault fault) => (_planted & fault) != 0;

    private static void AwaitWaiter(ref readonly ulong waiters)
    {
        var start = System.Diagnostics.Stopwatch.GetTimestamp();
        while ((uint)Volatile.Read(in waiters) == 0 && System.Diagnostics.Stopwatch.GetElapsedTime(start) < LongestWakeRace)
        {
            Thread.Yield();
        }
    }

    private static void Obey(FaultOrder order)
    {
        switch (order.Action)
        {
            case FaultAction.Kill:
                _ = SendSignal(Environment.ProcessId, SignalKill);
                Thread.Sleep(Timeout.Infinite);
                break;
            case FaultAction.Stop:
                Pausing?.Invoke(true);
                _ = SendSignal(Environment.ProcessId, SignalStop);
                Pausing?.Invoke(false);
                break;
            default:
                Pausing?.Invoke(true);
                Thread.Sleep(order.Milliseconds);
                Pausing?.Invoke(false);
                break;
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);
}
