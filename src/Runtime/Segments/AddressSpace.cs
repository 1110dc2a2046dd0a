using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>
/// The address ranges that this process maps files into. A range that was mapped once stays readable and writable memory until the process ends:
/// a released range holds zeros of this process alone, and is reused for a later mapping of the same length. A span that is kept too
/// long therefore reads zeros or other bytes, and never ends the process. Thread-safe.
/// </summary>
internal static unsafe class AddressSpace
{
    // A released range is reused only after this many others of its length, so that a span that was kept too long mostly reads zeros.
    private const int WaitingRanges = 16;

    // The only error of a mapping that occurs before the kernel touches the range. An error of the file system occurs after the range was unmapped, when other memory may already be there.
    private const int OutOfMemory = 12;

    // The kernel maps a huge page only at a multiple of its length.
    private const nuint HugePageBytes = HugePages.Bytes;

    private static readonly Lock Gate = new();

    // Ranges by their length. The lists hold objects, because collections of numbers would be compiled when the program starts.
    private static readonly Dictionary<object, Queue<object>> Released = [];

    /// <summary>Maps the first bytes of a file. Only if <see cref="LinuxKernel.IsSupported"/>.</summary>
    /// <exception cref="IOException">The kernel refuses, for example because the process has too many mappings.</exception>
    public static byte* Map(SafeFileHandle file, string path, nuint bytes, bool isWritable)
    {
        Debug.Assert(bytes > 0, "A mapping has bytes.");
        var range = TryTake(bytes);
        if (range is null && bytes >= HugePageBytes)
        {
            range = NewRange(bytes);
        }

        var start = LinuxKernel.Map(file, bytes, isWritable, range);
        if (start is null)
        {
            var error = Marshal.GetLastPInvokeError();
            if (error == OutOfMemory)
            {
                GiveBack(range, bytes);
            }

            throw new IOException(
                $"The {bytes} bytes of '{path}' could not be mapped: {Marshal.GetPInvokeErrorMessage(error)}. " +
                "The system limits the mappings of a process by vm.max_map_count, and its address space by ulimit -v.",
                error);
        }

        return start;
    }

    /// <summary>Reserves memory of this process alone, which holds zeros and takes no room until it is written to.</summary>
    /// <exception cref="IOException">The kernel refuses.</exception>
    public static byte* Reserve(nuint bytes)
    {
        Debug.Assert(bytes > 0, "A range has bytes.");
        var range = TryTake(bytes);
        if (range is null)
        {
            range = LinuxKernel.IsSupported ? NewRange(bytes) : (byte*)NativeMemory.AllocZeroed(bytes);
        }
        else if (!LinuxKernel.IsSupported)
        {
            NativeMemory.Clear(range, bytes);
        }

        return range is not null ? range : throw new IOException($"{bytes} bytes of address space could not be reserved.");
    }

    /// <summary>Replaces the mapping of a range with zeros, if the system has such a call, and keeps the range for a later mapping or reservation: a stale span must not end the process.</summary>
    public static void Release(byte* start, nuint bytes)
    {
        Debug.Assert(start is not null && bytes > 0, "A range that was mapped is released.");
        if (!LinuxKernel.IsSupported || LinuxKernel.MapAnonymously(bytes, start) is not null)
        {
            GiveBack(start, bytes);
        }
    }

    // Null if the kernel refuses.
    private static byte* NewRange(nuint bytes)
    {
        if (bytes < HugePageBytes)
        {
            return LinuxKernel.MapAnonymously(bytes, at: null);
        }

        var pageBytes = (nuint)Environment.SystemPageSize;
        bytes = (bytes + pageBytes - 1) & ~(pageBytes - 1);
        var start = LinuxKernel.MapAnonymously(bytes + HugePageBytes, at: null);
        if (start is null)
        {
            return null;
        }

        // The unused addresses before and after the range are given back.
        var before = (nuint)(-(nint)start) & (HugePageBytes - 1);
        var range = start + before;
        LinuxKernel.Unmap(start, before);
        LinuxKernel.Unmap(range + bytes, HugePageBytes - before);
        return range;
    }

    private static byte* TryTake(nuint bytes)
    {
        lock (Gate)
        {
            return Released.TryGetValue(bytes, out var ranges) && ranges.Count > WaitingRanges ? (byte*)(nint)ranges.Dequeue() : null;
        }
    }

    private static void GiveBack(byte* start, nuint bytes)
    {
        Debug.Assert(bytes > 0, "A range has bytes.");
        if (start is null)
        {
            return;
        }

        lock (Gate)
        {
            if (!Released.TryGetValue(bytes, out var ranges))
            {
                Released.Add(bytes, ranges = new Queue<object>());
            }

            ranges.Enqueue((nint)start);
        }
    }
}
