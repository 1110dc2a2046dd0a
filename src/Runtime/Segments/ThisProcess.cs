using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.Segments;

/// <summary>Facts about this process that others are told.</summary>
internal static class ThisProcess
{
    private const string LinuxStatFile = "/proc/self/stat";
    private const string LinuxUptimeFile = "/proc/uptime";

    // Of the fields after the name, which is in parentheses and may hold spaces. Its unit is a hundredth of a second on every machine.
    private const int StartField = 19;
    private const long TicksPerUnit = TimeSpan.TicksPerSecond / 100;

    /// <summary>The time at which it started, in ticks since the year 1, UTC.</summary>
    /// <remarks>The kernel is asked directly where it can be: the framework's class for processes takes milliseconds to load.</remarks>
    public static long StartTicks() => OperatingSystem.IsLinux() && FindOnLinux() is { } ticks ? ticks : AskFramework();

    private static long? FindOnLinux()
    {
        try
        {
            var stat = File.ReadAllText(LinuxStatFile);
            var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            var uptime = File.ReadAllText(LinuxUptimeFile).Split(' ')[0];
            if (fields.Length > StartField
                && long.TryParse(fields[StartField], NumberStyles.None, CultureInfo.InvariantCulture, out var start)
                && double.TryParse(uptime, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds))
            {
                return DateTime.UtcNow.Ticks - (long)(seconds * TimeSpan.TicksPerSecond) + (start * TicksPerUnit);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Without these files the framework finds another way.
        }

        return null;
    }

    private static long AskFramework()
    {
        using var process = Process.GetCurrentProcess();
        return process.StartTime.ToUniversalTime().Ticks;
    }
}
