using System.Diagnostics;
using System.Text;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>A finished run of the tool.</summary>
/// <param name="Code">Its exit code.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Errors">Its standard error.</param>
internal sealed record ToolRun(int Code, string Output, string Errors)
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Gets the lines of the output.</summary>
    public string[] Lines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Runs the tool in this process, as one whose output is a pipe.</summary>
    public static Task<ToolRun> InProcessAsync(params string[] arguments) => InProcessAsync("", hasColors: false, CancellationToken.None, arguments);

    /// <summary>Runs the tool in this process.</summary>
    /// <param name="input">Its standard input.</param>
    /// <param name="hasColors">Whether it writes to a terminal with colors.</param>
    /// <param name="token">Cancelled by Ctrl-C.</param>
    /// <param name="arguments">Its command line.</param>
    public static async Task<ToolRun> InProcessAsync(string input, bool hasColors, CancellationToken token, params string[] arguments)
    {
        using var output = new MemoryStream();
        using var errors = new MemoryStream();
        using var console = new ToolConsole(output, errors, new StringReader(input), isTerminal: hasColors, hasColors);
        var code = await Inspector.RunAsync(arguments, console, token);
        return new ToolRun(code, Encoding.UTF8.GetString(output.ToArray()), Encoding.UTF8.GetString(errors.ToArray()));
    }

    /// <summary>Runs the tool as a process, in a folder.</summary>
    public static async Task<ToolRun> AsProcessAsync(string folder, params string[] arguments)
    {
        using var process = Start(folder, arguments);
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(Limit);
        return new ToolRun(process.ExitCode, await output, await errors);
    }

    /// <summary>Starts the tool as a process, whose streams are pipes.</summary>
    public static Process Start(string folder, params string[] arguments) => StartDotnet(Repository.Tool, folder, arguments);

    /// <summary>Starts a built program as a process, whose streams are pipes.</summary>
    public static Process StartDotnet(string program, string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet")
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            StandardErrorEncoding = Encoding.UTF8,
            WorkingDirectory = folder,
        };
        start.ArgumentList.Add(program);
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        var process = new TestProcess { StartInfo = start };
        process.Start();
        return process;
    }
}
