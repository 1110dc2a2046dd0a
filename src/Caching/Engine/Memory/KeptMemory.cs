using System.Diagnostics;
using System.Numerics;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Memory whose spans are given to users. It stays readable while the process lives, so that a span that is used after its lease reads other bytes instead of ending the process.
/// Returned memory is reused by the next caller that asks for as many bytes. Thread-safe.
/// </summary>
internal static class KeptMemory
{
    private const nuint HugePageBytes = 2 * 1024 * 1024;

    private static readonly Lock Gate = new();
    private static readonly Dictionary<nuint, Stack<nint>> GivenBack = [];

    /// <summary>Takes memory, in huge pages where it is large enough and the kernel has some. Its bytes are arbitrary.</summary>
    /// <param name="bytes">A power of two; the memory is aligned to it, to 2 MB at most.</param>
    /// <exception cref="OutOfMemoryException">There is no room.</exception>
    // SAFETY: the memory is never freed; it has as many bytes as asked for.
    public static unsafe byte* Take(nuint bytes)
    {
        Debug.Assert(BitOperations.IsPow2(bytes), "The memory is aligned to its size.");
        lock (Gate)
        {
            if (GivenBack.TryGetValue(bytes, out var free) && free.TryPop(out var memory))
            {
                return (byte*)memory;
            }
        }

        return Allocate(bytes);
    }

    /// <summary>Returns memory. Whole pages go to the kernel where the system can do that; other memory waits for the next call of <see cref="Take"/>.</summary>
    /// <param name="memory">The memory, as <see cref="Take"/> gave it.</param>
    /// <param name="bytes">Its bytes.</param>
    // SAFETY: the bytes are those that Take gave; the addresses stay mapped.
    public static unsafe void GiveBack(byte* memory, nuint bytes)
    {
        Debug.Assert(memory is not null, "The next caller would take it.");
        if (LinuxKernel.IsSupported && bytes >= (nuint)Environment.SystemPageSize)
        {
            // The kernel rounds up to whole pages: of a part of one it would clear the memory of others.
            LinuxKernel.DontNeed(memory, bytes);
        }

        lock (Gate)
        {
            ref var free = ref CollectionsMarshal.GetValueRefOrAddDefault(GivenBack, bytes, out _);
            (free ??= new Stack<nint>()).Push((nint)memory);
        }
    }

    // SAFETY: the kernel is told of exactly the bytes that were allocated.
    private static unsafe byte* Allocate(nuint bytes)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc(bytes, Math.Min(bytes, HugePageBytes));
        if (LinuxKernel.IsSupported && bytes > (nuint)Environment.SystemPageSize)
        {
            LinuxKernel.PreferHugePages(memory, bytes);
        }

        return memory;
    }
}
