using System.Diagnostics;

namespace BufferedMessages.Samples.Tests.Running;

/// <summary>Makes with a shell what .NET cannot: names that are no text, paths that are too long, signals.</summary>
internal static class Shell
{
    public static async Task RunAsync(string command, string directory)
    {
        using var process = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", command]) { UseShellExecute = false, WorkingDirectory = directory })!;
        await process.WaitForExitAsync();
        Assert.Equal(0, process.ExitCode);
    }
}
