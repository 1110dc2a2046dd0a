using System.Diagnostics;

namespace BufferedMessages.Tool.Tests;

/// <summary>Tests that let calls of the system fail by strace, on a machine that has it and lets it trace.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class StraceTheoryAttribute : TheoryAttribute
{
    public const string Program = "/usr/bin/strace";

    private static readonly string? Absence = FindAbsence();

    public StraceTheoryAttribute() => Skip = Absence;

    private static string? FindAbsence()
    {
        if (!File.Exists(Program))
        {
            return $"'{Program}' is missing.";
        }

        using var process = Process.Start(new ProcessStartInfo(Program, ["-o", "/dev/null", "true"]) { UseShellExecute = false, RedirectStandardError = true })!;
        process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? null : $"'{Program}' may not trace.";
    }
}
