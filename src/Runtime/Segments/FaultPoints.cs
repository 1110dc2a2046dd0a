using System.Diagnostics;

namespace BufferedMessages.Segments;

/// <summary>
/// The places where tests break the protocol. The calls exist only in the build of tests/FaultyRuntime, which defines FAULT_POINTS and holds the other
/// part of this class; the compiler drops them from every other build.
/// </summary>
internal static partial class FaultPoints
{
    private const string Symbol = "FAULT_POINTS";

    /// <summary>A step is done: the process may die or pause here.</summary>
    [Conditional(Symbol)]
    public static void Hit(FaultPoint point) => OnHit(point);

    /// <summary>May take a live participant for dead.</summary>
    [Conditional(Symbol)]
    public static void RobLiveOwner(ref bool isDead) => OnRobLiveOwner(ref isDead);

    /// <summary>May give each lap of a ring slot the same free word.</summary>
    [Conditional(Symbol)]
    public static void ForgetLap(ref long segment) => OnForgetLap(ref segment);

    /// <summary>May read a group's claim word again after the in-flight words.</summary>
    [Conditional(Symbol)]
    public static void ReadClaimLast(ref long low, ref readonly long claim) => OnReadClaimLast(ref low, in claim);

    /// <summary>May leave out the second look for room.</summary>
    [Conditional(Symbol)]
    public static void TrustFirstLook(ref bool hasRoom) => OnTrustFirstLook(ref hasRoom);

    /// <summary>May read the count of waiters before the record is reserved, as an unfenced processor does.</summary>
    [Conditional(Symbol)]
    public static void ReadWaitersEarly(ref readonly ulong waiters) => OnReadWaitersEarly(in waiters);

    /// <summary>Replaces the count by the one that was read too early.</summary>
    [Conditional(Symbol)]
    public static void ReplaceWaiters(ref ulong waiters) => OnReplaceWaiters(ref waiters);

    /// <summary>May make sleeps longer, so that a missed wake shows.</summary>
    [Conditional(Symbol)]
    public static void SleepLonger(ref TimeSpan longest) => OnSleepLonger(ref longest);

    /// <summary>May shorten the longest wait of a semaphore.</summary>
    [Conditional(Symbol)]
    public static void ShortenWaits(ref TimeSpan longest) => OnShortenWaits(ref longest);

    /// <summary>May publish the first record of a batch before the others.</summary>
    [Conditional(Symbol)]
    public static void SplitBatch(ref bool isSplit) => OnSplitBatch(ref isSplit);

    static partial void OnHit(FaultPoint point);

    static partial void OnRobLiveOwner(ref bool isDead);

    static partial void OnForgetLap(ref long segment);

    static partial void OnReadClaimLast(ref long low, ref readonly long claim);

    static partial void OnTrustFirstLook(ref bool hasRoom);

    static partial void OnReadWaitersEarly(ref readonly ulong waiters);

    static partial void OnReplaceWaiters(ref ulong waiters);

    static partial void OnSleepLonger(ref TimeSpan longest);

    static partial void OnShortenWaits(ref TimeSpan longest);

    static partial void OnSplitBatch(ref bool isSplit);
}
