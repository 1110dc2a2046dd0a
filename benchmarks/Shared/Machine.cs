using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;

namespace BufferedMessages.Running;

/// <summary>What a file of results says about its run.</summary>
internal static class Machine
{
    private const int CommitLength = 8;

    // Of the figures. The results themselves are in the repository too.
    private static readonly string[] Sources = [":/src", ":/benchmarks", ":(top,exclude)benchmarks/results", ":(top,glob)*.props"];

    public static string Name() =>
        $"{Processor()}, {Environment.ProcessorCount} cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";

    /// <summary>The commit that the program was built from, with a remark if the sources have other changes; unknown if it was not built from a repository.</summary>
    public static string Commit()
    {
        var version = typeof(Machine).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return version?.Split('+') is [_, { Length: > CommitLength } commit] ? commit[..CommitLength] + (HasChangesSince(commit) ? " with changes" : "") : "unknown";
    }

    private static bool HasChangesSince(string commit) => NamesSources("diff", "--name-only", commit) || NamesSources("ls-files", "--others", "--exclude-standard");

    // Without git there are no names, which must not cost the figures of a long run.
    private static bool NamesSources(params string[] command)
    {
        try
        {
            var start = new ProcessStartInfo("git", [.. command, "--", .. Sources]) { WorkingDirectory = AppContext.BaseDirectory, RedirectStandardOutput = true, UseShellExecute = false };
            using var git = Process.Start(start)!;
            var names = git.StandardOutput.ReadToEnd();
            git.WaitForExit();
            return names.Length > 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    private static string Processor() =>
        OperatingSystem.IsLinux() && File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } name
            ? name[(name.IndexOf(':', StringComparison.Ordinal) + 2)..]
            : RuntimeInformation.OSArchitecture.ToString();
}
