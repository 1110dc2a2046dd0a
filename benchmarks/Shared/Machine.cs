using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Running;

/// <summary>What a file of results says about its run.</summary>
internal static class Machine
{
    public static string Name() =>
        $"{Processor()}, {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";

    /// <summary>The commit of the current directory; unknown without git, which must not cost the figures of a long run.</summary>
    public static string Commit()
    {
        try
        {
            using var git = Process.Start(new ProcessStartInfo("git", "rev-parse --short HEAD") { RedirectStandardOutput = true, UseShellExecute = false });
            var output = git?.StandardOutput.ReadToEnd().Trim();
            git?.WaitForExit();
            return string.IsNullOrEmpty(output) ? "unknown" : output;
        }
        catch (Win32Exception)
        {
            return "unknown";
        }
    }

    private static string Processor() =>
        OperatingSystem.IsLinux() && File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } name
            ? name[(name.IndexOf(':', StringComparison.Ordinal) + 2)..]
            : RuntimeInformation.OSArchitecture.ToString();
}
