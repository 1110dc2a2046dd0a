using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>The identity of one run of the machine's system: unflushed bytes survive a process, but not the machine.</summary>
internal static class MachineBoot
{
    private const string LinuxFile = "/proc/sys/kernel/random/boot_id";

    // Coarse, since the clock that the boot time is taken from is adjusted. Taking one run for two costs a needless check, no message.
    private static readonly TimeSpan Step = TimeSpan.FromMinutes(10);

    /// <summary>The id of this run; never 0.</summary>
    public static UInt128 Id { get; } = OperatingSystem.IsLinux() && File.Exists(LinuxFile) ? OfLinux() : OfUptime();

    private static UInt128 OfLinux()
    {
        var id = Guid.Parse(File.ReadAllText(LinuxFile));
        return MemoryMarshal.Read<UInt128>(id.ToByteArray());
    }

    // Not tested: no other system was at hand.
    private static UInt128 OfUptime()
    {
        var start = DateTime.UtcNow - TimeSpan.FromMilliseconds(Environment.TickCount64);
        return (UInt128)((start.Ticks + (Step.Ticks / 2)) / Step.Ticks);
    }
}
