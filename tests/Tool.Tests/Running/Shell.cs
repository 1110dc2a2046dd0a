using System.Diagnostics;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>Command lines as people write them, with pipes and files. The tool is on the path.</summary>
internal static class Shell
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    /// <summary>Runs a command line in a folder.</summary>
    /// <returns>What it wrote to both streams, in order.</returns>
    public static async Task<string> RunAsync(string folder, string command)
    {
        using var programs = new TemporaryFolder();
        var program = programs.PathOf("bufferedmessages");
        File.WriteAllText(program, $"#!/bin/sh\nexec \"{Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet"}\" \"{Repository.Tool}\" \"$@\"\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        var start = new ProcessStartInfo("/bin/sh", ["-c", $"{{ {command}\n}} 2>&1"]) { UseShellExecute = false, RedirectStandardOutput = true, WorkingDirectory = folder };
        start.Environment["PATH"] = $"{programs.Path}:{Environment.GetEnvironmentVariable("PATH")}";
        using var process = new TestProcess { StartInfo = start };
        process.Start();
        var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Limit);
        await process.WaitForExitAsync().WaitAsync(Limit);
        return output;
    }
}
