using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// Memory that users see spans of. It stays readable as long as the process lives, so that a span which is used after its lease reads other bytes and does not end
/// the process. Memory that is given back is empty, and the next caller for as many bytes gets it. Safe for all threads.
/// </summary>
internal static unsafe class KeptMemory
{
    private const nuint HugePageBytes = 2 * 1024 * 1024;

    private static readonly Lock Gate = new();
    private static readonly Dictionary<nuint, Stack<nint>> GivenBack = [];

    /// <summary>Takes memory, in huge pages as far as it is so large and the kernel has some. Its bytes are arbitrary.</summary>
    /// <param name="bytes">A power of two; the memory is aligned to it, to 2 MB at most.</param>
    /// <exception cref="OutOfMemoryException">There is no room.</exception>
    public static byte* Take(nuint bytes)
    {
        lock (Gate)
        {
            if (GivenBack.TryGetValue(bytes, out var free) && free.TryPop(out var memory))
            {
                return (byte*)memory;
            }
        }

        return Allocate(bytes);
    }

    /// <summary>Gives memory back. The kernel gets its pages where it takes them; elsewhere they wait for the next taker.</summary>
    /// <param name="memory">The memory, as <see cref="Take"/> gave it.</param>
    /// <param name="bytes">How many bytes it has.</param>
    public static void GiveBack(byte* memory, nuint bytes)
    {
        if (LinuxKernel.IsSupported)
        {
            LinuxKernel.DontNeed(memory, bytes);
        }

        lock (Gate)
        {
            ref var free = ref CollectionsMarshal.GetValueRefOrAddDefault(GivenBack, bytes, out _);
            (free ??= new Stack<nint>()).Push((nint)memory);
        }
    }

    private static byte* Allocate(nuint bytes)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc(bytes, Math.Min(bytes, HugePageBytes));
        if (LinuxKernel.IsSupported && bytes > (nuint)Environment.SystemPageSize)
        {
            LinuxKernel.PreferHugePages(memory, bytes);
        }

        return memory;
    }
}
