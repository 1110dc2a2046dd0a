using System.Buffers.Binary;

namespace BufferedMessages.Segments;

/// <summary>The identity of one run of the machine's system: unflushed bytes survive a process, but not the machine.</summary>
internal static class MachineBoot
{
    private const string LinuxFile = "/proc/sys/kernel/random/boot_id";

    // Coarse, since the clock that the boot time is taken from is adjusted. Taking one run for two costs a needless check, no message.
    private static readonly TimeSpan Step = TimeSpan.FromMinutes(10);

    // Boxed, to be stored at once. Read by a method, not by a static initializer: one that failed would fail until the process ends.
    private static object? _id;

    /// <summary>The id of this run; never empty.</summary>
    /// <exception cref="IOException">It cannot be read now, for example because the process has too many open files.</exception>
    public static Guid Id => (Guid)(Volatile.Read(ref _id) ?? Read());

    private static object Read()
    {
        object id = OperatingSystem.IsLinux() && File.Exists(LinuxFile) ? OfLinux() : OfUptime();
        Volatile.Write(ref _id, id);
        return id;
    }

    private static Guid OfLinux() => Guid.Parse(File.ReadAllText(LinuxFile));

    // Not tested: no other system was at hand.
    private static Guid OfUptime()
    {
        var start = DateTime.UtcNow - TimeSpan.FromMilliseconds(Environment.TickCount64);
        Span<byte> id = stackalloc byte[16];
        id.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(id, (start.Ticks + (Step.Ticks / 2)) / Step.Ticks);
        return new Guid(id);
    }
}
