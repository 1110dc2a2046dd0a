using System.Buffers.Binary;

namespace BufferedMessages.Segments;

/// <summary>The identity of one run of the machine's system: unflushed bytes survive a process, but not the machine.</summary>
internal static class MachineBoot
{
    private const string LinuxFile = "/proc/sys/kernel/random/boot_id";

    // Coarse, since the clock that the boot time is taken from is adjusted. Taking one run for two costs a needless check, no message.
    private static readonly TimeSpan Step = TimeSpan.FromMinutes(10);

    // An object, so that it is written whole. Not in the initializer of the type: a failure for a moment, such as too many open files, would last as long as the process.
    private static object? _id;

    /// <summary>The id of this run; never empty.</summary>
    /// <exception cref="IOException">The process has too many open files.</exception>
    public static Guid Id => (Guid)(_id ??= OperatingSystem.IsLinux() && File.Exists(LinuxFile) ? OfLinux() : OfUptime());

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
