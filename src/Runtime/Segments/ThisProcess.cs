using System.Buffers.Text;
using System.Diagnostics;

namespace BufferedMessages.Segments;

/// <summary>Facts about this process that others are told.</summary>
internal static class ThisProcess
{
    private const string LinuxStatFile = "/proc/self/stat";
    private const string LinuxUptimeFile = "/proc/uptime";

    // Spaces from the end of the name, which is in parentheses and may hold spaces itself, to the field. Its unit is a hundredth of a second on every machine.
    private const int StartField = 20;
    private const long TicksPerUnit = TimeSpan.TicksPerSecond / 100;

    private static long _startTicks;

    /// <summary>The time at which it started, in ticks since the year 1, UTC; always the same.</summary>
    /// <exception cref="IOException">The process has too many open files. A later call may succeed.</exception>
    /// <remarks>
    /// The kernel is asked directly where it can be: the framework's class for processes takes milliseconds to load, and so does the first culture, also the invariant one.
    /// </remarks>
    public static long StartTicks()
    {
        if (Volatile.Read(ref _startTicks) == 0)
        {
            Interlocked.CompareExchange(ref _startTicks, OperatingSystem.IsLinux() && FindOnLinux() is { } ticks ? ticks : AskFramework(), 0);
        }

        return _startTicks;
    }

    private static long? FindOnLinux()
    {
        try
        {
            var stat = File.ReadAllBytes(LinuxStatFile);
            if (TryFindField(stat.AsSpan(stat.LastIndexOf((byte)')') + 1), StartField, out var field)
                && Utf8Parser.TryParse(field, out long start, out _)
                && Utf8Parser.TryParse(File.ReadAllBytes(LinuxUptimeFile), out double seconds, out _))
            {
                return DateTime.UtcNow.Ticks - (long)(seconds * TimeSpan.TicksPerSecond) + (start * TicksPerUnit);
            }
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException or UnauthorizedAccessException)
        {
            // Without these files the framework finds another way.
        }

        return null;
    }

    private static bool TryFindField(ReadOnlySpan<byte> fields, int number, out ReadOnlySpan<byte> field)
    {
        for (var i = 0; i < number && !fields.IsEmpty; i++)
        {
            var end = fields.IndexOf((byte)' ');
            fields = end < 0 ? default : fields[(end + 1)..];
        }

        field = fields;
        return !fields.IsEmpty;
    }

    private static long AskFramework()
    {
        using var process = Process.GetCurrentProcess();
        return process.StartTime.ToUniversalTime().Ticks;
    }
}
