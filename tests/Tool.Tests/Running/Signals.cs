using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.Tool.Tests;

/// <summary>Ctrl-C, as a terminal sends it.</summary>
internal static class Signals
{
    public static async Task InterruptAsync(Process process)
    {
        using var kill = Process.Start("kill", ["-INT", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        Assert.Equal(0, kill.ExitCode);
    }
}
