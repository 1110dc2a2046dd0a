using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>
/// The few Linux system calls that .NET does not offer. Only to be called where <see cref="IsSupported"/>;
/// every member answers by its result, none throws.
/// </summary>
internal static unsafe partial class LinuxKernel
{
    private const int FutexWake = 1;
    private const int FutexWaitBitset = 9;
    private const uint FutexMatchAny = uint.MaxValue;
    private const int AdvicePopulateWrite = 23;
    private const int BarrierGlobalExpedited = 1 << 1;
    private const int BarrierRegisterGlobalExpedited = 1 << 2;
    private const long NanosecondsPerSecond = 1_000_000_000;

    /// <summary>The numbers below are those of x64 and ARM64; other processors take the portable paths.</summary>
    public static bool IsSupported { get; } =
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    private static nint FutexNumber { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 202 : 98;

    private static nint MembarrierNumber { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 324 : 283;

    /// <summary>
    /// Sleeps while the word holds <paramref name="seen"/>, until it is woken or the monotonic clock passes the deadline.
    /// Returns early on a signal, which the caller, who looks again, need not tell apart.
    /// </summary>
    public static void Wait(uint* word, uint seen, long monotonicNanoseconds)
    {
        var deadline = new TimeSpec { Seconds = monotonicNanoseconds / NanosecondsPerSecond, Nanoseconds = monotonicNanoseconds % NanosecondsPerSecond };
        _ = Futex(FutexNumber, word, FutexWaitBitset, seen, &deadline, null, FutexMatchAny);
    }

    /// <summary>Wakes all who sleep on the word, in all processes.</summary>
    public static void Wake(uint* word) => _ = Futex(FutexNumber, word, FutexWake, int.MaxValue, null, null, 0);

    /// <summary>Declares that this process orders its memory accesses whenever another one calls <see cref="GlobalBarrier"/>.</summary>
    public static bool RegisterForGlobalBarrier() => Membarrier(MembarrierNumber, BarrierRegisterGlobalExpedited, 0, 0) == 0;

    /// <summary>A full fence on every running thread of every registered process.</summary>
    public static bool GlobalBarrier() => Membarrier(MembarrierNumber, BarrierGlobalExpedited, 0, 0) == 0;

    /// <summary>Maps pages now, many at a time, that would otherwise cost a fault each. Kernels before 5.14 refuse, which does no harm.</summary>
    public static void PopulateForWriting(byte* start, nuint bytes) => _ = Advise(start, bytes, AdvicePopulateWrite);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Futex(nint number, uint* word, nint operation, nuint value, TimeSpec* deadline, uint* secondWord, nuint mask);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Membarrier(nint number, nint command, nint flags, nint processor);

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(byte* start, nuint bytes, int advice);

    private struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
