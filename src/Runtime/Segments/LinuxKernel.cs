using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>
/// The few Linux system calls that .NET does not offer. Only to be called if <see cref="IsSupported"/>;
/// only those that allocate or lock throw, the others report failure by their results.
/// </summary>
internal static unsafe partial class LinuxKernel
{
    private const int OpenReadWrite = 2;
    private const int OpenCloseOnExec = 0x8_0000;
    private const int OpenNonblocking = 0x800;
    private const int LockShared = 1;
    private const int LockExclusive = 2;
    private const int LockNonblocking = 4;
    private const int LockRelease = 8;
    private const int WouldBlock = 11;
    private const int Interrupted = 4;
    private const int NotSupported = 95;
    private const int NotImplemented = 38;
    private const int ZerosAtATime = 64 * 1024;
    private const int FutexWake = 1;
    private const int FutexWaitBitset = 9;
    private const uint FutexMatchAny = uint.MaxValue;
    private const int AdviceNormal = 0;
    private const int AdviceRandom = 1;
    private const int AdviceWillNeed = 3;
    private const int AdviceDontNeed = 4;
    private const int AdviceHugePage = 14;
    private const int AdvicePopulateWrite = 23;
    private const int AdviceCollapse = 25;
    private const int BarrierGlobalExpedited = 1 << 1;
    private const int BarrierRegisterGlobalExpedited = 1 << 2;
    private const long NanosecondsPerSecond = 1_000_000_000;
    private const int ProtectionRead = 1;
    private const int ProtectionWrite = 2;
    private const int MapShared = 1;
    private const int MapPrivate = 2;
    private const int MapFixed = 0x10;
    private const int MapAnonymous = 0x20;
    private const int MapNoReserve = 0x4000;
    private const nint MapFailed = -1;

    /// <summary>The numbers below are those of x64 and ARM64; other processors take the portable paths.</summary>
    public static bool IsSupported { get; } =
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    private static nint FutexNumber { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 202 : 98;

    private static nint MembarrierNumber { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 324 : 283;

    /// <summary>
    /// Opens a file that exists, with the lock that .NET takes for <see cref="FileShare.None"/>, or for <see cref="FileShare.Read"/>.
    /// .NET reports a lock of another process by an exception, which is slow, most of all the first one of a process.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="isShared">Others may have the same lock.</param>
    /// <param name="isReadOnly">Whether the file is opened for reading only.</param>
    /// <param name="file">The file; null if another process holds a conflicting lock.</param>
    /// <returns>False if the file cannot be opened, which the portable way then reports.</returns>
    /// <exception cref="IOException">The kernel could not lock it, for example without memory for the lock.</exception>
    public static bool TryLock(string path, bool isShared, bool isReadOnly, out SafeFileHandle? file)
    {
        file = null;
        // If there is a pipe in place of the file, this does not wait for its writer.
        var descriptor = Open(path, (isReadOnly ? 0 : OpenReadWrite) | OpenCloseOnExec | OpenNonblocking);
        if (descriptor < 0)
        {
            return false;
        }

        var opened = new SafeFileHandle(descriptor, ownsHandle: true);
        file = TryLock(opened, path, isShared) ? opened : null;
        return true;
    }

    /// <summary>Locks an open file, and closes it if that fails. .NET continues without the lock if the kernel has no memory for it; a live process would then be taken for dead.</summary>
    /// <param name="file">The file, which may have the lock already.</param>
    /// <param name="path">Its path, for the message.</param>
    /// <param name="isShared">Others may have the same lock.</param>
    /// <returns>False if another process holds a conflicting lock.</returns>
    /// <exception cref="IOException">The kernel could not lock it, for example without memory for the lock.</exception>
    public static bool TryLock(SafeFileHandle file, string path, bool isShared)
    {
        int error;
        do
        {
            if (Lock(file, (isShared ? LockShared : LockExclusive) | LockNonblocking) == 0)
            {
                return true;
            }

            error = Marshal.GetLastPInvokeError();
        }
        while (error == Interrupted);

        if (error is NotSupported or NotImplemented)
        {
            // A file system without locks is refused when the queue or cache is opened.
            return true;
        }

        file.Dispose();
        return error == WouldBlock ? false : throw new IOException(
            $"'{path}' could not be locked: {Marshal.GetPInvokeErrorMessage(error)}. Without its lock no process can tell whether another one is alive. If its file system has no locks, use a local one.", error);
    }

    /// <summary>
    /// Releases the lock of a file at once. Closing the file is not enough: a process that another thread is starting also has the file open, until
    /// it runs its program.
    /// </summary>
    public static void Unlock(SafeFileHandle file) => Lock(file, LockRelease);

    /// <summary>
    /// Sleeps while the word holds <paramref name="seen"/>, until it is woken or the monotonic clock passes the deadline.
    /// Returns early on a signal; the caller looks again in any case.
    /// </summary>
    public static void Wait(ref uint word, uint seen, long monotonicNanoseconds)
    {
        var deadline = new TimeSpec { Seconds = monotonicNanoseconds / NanosecondsPerSecond, Nanoseconds = monotonicNanoseconds % NanosecondsPerSecond };
        _ = Futex(FutexNumber, ref word, FutexWaitBitset, seen, &deadline, null, FutexMatchAny);
    }

    /// <summary>Wakes all threads that sleep on the word, in all processes.</summary>
    public static void Wake(ref uint word) => _ = Futex(FutexNumber, ref word, FutexWake, int.MaxValue, null, null, 0);

    /// <summary>Declares that this process orders its memory accesses whenever another one calls <see cref="GlobalBarrier"/>.</summary>
    public static bool RegisterForGlobalBarrier() => Membarrier(MembarrierNumber, BarrierRegisterGlobalExpedited, 0, 0) == 0;

    /// <summary>A full fence on every running thread of every registered process.</summary>
    public static bool GlobalBarrier() => Membarrier(MembarrierNumber, BarrierGlobalExpedited, 0, 0) == 0;

    /// <summary>Maps pages now, many at a time, which would otherwise cost a fault each. False before kernel 5.14, and if there is no room for them.</summary>
    public static bool PopulateForWriting(byte* start, nuint bytes) => Advise(start, bytes, AdvicePopulateWrite) == 0;

    /// <summary>Makes huge pages of a mapping's pages and holes, as far as the kernel can: from 6.1 on, and if there is memory for them.</summary>
    public static void MakeHugePages(byte* start, nuint bytes) => _ = Advise(start, bytes, AdviceCollapse);

    /// <summary>Lets pages that are not in memory yet come in as huge ones, if the file system can: ext4 from 6.16 on, others earlier or never.</summary>
    public static void PreferHugePages(byte* start, nuint bytes) => _ = Advise(start, bytes, AdviceHugePage);

    /// <summary>Reads single pages of a mapped file from now on, and none ahead. Pages read ahead would also be mapped ahead, and count as memory of the process.</summary>
    public static void ReadRandomly(byte* start, nuint bytes) => _ = Advise(start, bytes, AdviceRandom);

    /// <summary>Reads ahead again, as the system does by itself. Where pages are new, or come from the disk, many then come at a time.</summary>
    public static void ReadInOrder(byte* start, nuint bytes) => _ = Advise(start, bytes, AdviceNormal);

    /// <summary>Begins to read pages of a mapped file from the disk, and does not wait for them.</summary>
    public static void WillNeed(byte* start, nuint bytes) => _ = Advise(start, bytes, AdviceWillNeed);

    /// <summary>
    /// Unmaps whole pages. Of a shared mapping of a file nothing is lost: the pages stay in the file cache, or on the disk, and are mapped again when they are
    /// touched. Memory of this process alone comes back as zeros.
    /// </summary>
    public static void DontNeed(byte* start, nuint bytes) => _ = Advise(start, bytes, AdviceDontNeed);

    /// <summary>Maps the first bytes of a file.</summary>
    /// <param name="file">The file, opened for the access of the mapping.</param>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="isWritable">Whether the mapping can be written to.</param>
    /// <param name="at">A range whose mapping is replaced; null for any free range.</param>
    /// <returns>The first byte; null if the kernel refuses.</returns>
    public static byte* Map(SafeFileHandle file, nuint bytes, bool isWritable, byte* at)
    {
        var start = Map(at, bytes, isWritable ? ProtectionRead | ProtectionWrite : ProtectionRead, MapShared | (at is null ? 0 : MapFixed), file, 0);
        return (nint)start == MapFailed ? null : start;
    }

    /// <summary>Maps memory of this process alone, which holds zeros and takes no room until it is written to.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="at">A range whose mapping is replaced; null for any free range.</param>
    /// <returns>The first byte; null if the kernel refuses.</returns>
    public static byte* MapAnonymously(nuint bytes, byte* at)
    {
        var start = Map(at, bytes, ProtectionRead | ProtectionWrite, MapPrivate | MapAnonymous | MapNoReserve | (at is null ? 0 : MapFixed), -1, 0);
        return (nint)start == MapFailed ? null : start;
    }

    /// <summary>Ends the mapping of a range of whole pages, and gives its addresses back to the kernel.</summary>
    /// <param name="start">The first byte.</param>
    /// <param name="bytes">The bytes; with none nothing happens.</param>
    public static void Unmap(byte* start, nuint bytes)
    {
        if (bytes != 0)
        {
            _ = EndMap(start, bytes);
        }
    }

    /// <summary>Allocates the missing parts of a file's first bytes.</summary>
    /// <param name="file">The file, which is new or holds zeros.</param>
    /// <param name="bytes">The number of bytes, which it has then.</param>
    /// <param name="path">The path of the file, for the message.</param>
    /// <exception cref="IOException">The disk has no room for the bytes.</exception>
    public static void Allocate(SafeFileHandle file, long bytes, string path)
    {
        int error;
        do
        {
            error = Allocate(file, 0, bytes);
        }
        while (error == Interrupted);

        if (error == NotSupported)
        {
            // The file system cannot allocate ahead. The C library musl then gives up; glibc writes to each block itself.
            WriteZeros(file, bytes);
        }
        else if (error != 0)
        {
            throw new IOException($"'{path}' could not be given {bytes} bytes: {Marshal.GetPInvokeErrorMessage(error)}.", error);
        }
    }

    private static void WriteZeros(SafeFileHandle file, long bytes)
    {
        var zeros = new byte[Math.Min(bytes, ZerosAtATime)];
        for (var offset = 0L; offset < bytes; offset += zeros.Length)
        {
            RandomAccess.Write(file, zeros.AsSpan(0, (int)Math.Min(zeros.Length, bytes - offset)), offset);
        }
    }

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Futex(nint number, ref uint word, nint operation, nuint value, TimeSpec* deadline, uint* secondWord, nuint mask);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Membarrier(nint number, nint command, nint flags, nint processor);

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int Lock(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "posix_fallocate")]
    private static partial int Allocate(SafeFileHandle file, long offset, long bytes);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial byte* Map(byte* start, nuint bytes, int protection, int flags, SafeFileHandle file, nint offset);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial byte* Map(byte* start, nuint bytes, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int EndMap(byte* start, nuint bytes);

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(byte* start, nuint bytes, int advice);

    private struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
