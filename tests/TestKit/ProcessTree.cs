using System.Diagnostics;

namespace BufferedMessages.TestKit;

/// <summary>The end of processes that a test started.</summary>
internal static class ProcessTree
{
    /// <summary>Kills a process that still runs, with all that it started, and frees its resources.</summary>
    public static void End(Process process)
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
        }

        process.Dispose();
    }
}
