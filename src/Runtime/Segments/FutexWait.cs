using System.Diagnostics;

namespace BufferedMessages.Segments;

/// <summary>A wait on a shared futex of the Linux kernel.</summary>
internal sealed class FutexWait : WordWait
{
    public override bool NeedsWake => true;

    public override void Wait(ref uint word, uint seen, TimeSpan limit, int round)
    {
        // On Linux the stopwatch is the monotonic clock in nanoseconds, the one futexes use.
        var deadline = Stopwatch.GetTimestamp() + (limit.Ticks * TimeSpan.NanosecondsPerTick);
        LinuxKernel.Wait(ref word, seen, deadline);
    }

    public override void WakeAll(ref uint word) => LinuxKernel.Wake(ref word);
}
