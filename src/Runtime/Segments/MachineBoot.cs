using System.Buffers.Binary;
using System.Buffers.Text;
using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>The identity of one run of the machine's system: unflushed bytes survive a process, but not the machine.</summary>
internal static partial class MachineBoot
{
    private const string LinuxFile = "/proc/sys/kernel/random/boot_id";
    private const string MacValue = "kern.bootsessionuuid";

    // 36 characters and a zero.
    private const int MacTextBytes = 37;

    // Coarse, since the clock that the boot time is taken from is adjusted. Each larger change counts as another run, after which a queue that no process has open is repaired.
    private static readonly TimeSpan Step = TimeSpan.FromMinutes(10);

    // An object, so that it is written whole. It is not in the type's initializer: a temporary failure, such as too many open files, would then last as long as the process.
    private static object? _id;

    /// <summary>The id of this run; never empty.</summary>
    /// <exception cref="IOException">The process has too many open files.</exception>
    public static Guid Id => (Guid)(_id ??= Find());

    private static Guid Find() =>
        OperatingSystem.IsLinux() && File.Exists(LinuxFile) ? OfLinux()
        : OperatingSystem.IsMacOS() && OfMac() is { } id ? id
        : OfUptime();

    private static Guid OfLinux() => Guid.Parse(File.ReadAllText(LinuxFile));

    // The uptime of macOS leaves out the time for which the machine slept: each sleep would look like another run. Not tested: no other system than Linux was at hand.
    private static Guid? OfMac()
    {
        Span<byte> text = stackalloc byte[MacTextBytes];
        var bytes = (nuint)text.Length;
        return ReadSystemValue(MacValue, ref MemoryMarshal.GetReference(text), ref bytes, newValue: 0, newBytes: 0) == 0 && Utf8Parser.TryParse(text, out Guid id, out _) ? id : null;
    }

    // Not tested, for the same reason.
    private static Guid OfUptime()
    {
        var start = DateTime.UtcNow - TimeSpan.FromMilliseconds(Environment.TickCount64);
        Span<byte> id = stackalloc byte[16];
        id.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(id, (start.Ticks + (Step.Ticks / 2)) / Step.Ticks);
        return new Guid(id);
    }

    [LibraryImport("libc", EntryPoint = "sysctlbyname", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ReadSystemValue(string name, ref byte value, ref nuint bytes, nint newValue, nuint newBytes);
}
