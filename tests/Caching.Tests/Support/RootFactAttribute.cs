using System.Diagnostics;

namespace BufferedMessages.Caching.Tests;

/// <summary>A test that starts processes of other users: it needs to run as root, <c>setpriv</c>, and a program that the other users may read.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RootFactAttribute : FactAttribute
{
    public RootFactAttribute()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root" || !CanStart())
        {
            Skip = "Only root can start processes of other users, with setpriv, and the program must be readable for them.";
        }
    }

    private static bool CanStart()
    {
        try
        {
            using var process = Process.Start("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "test", "-r", typeof(RootFactAttribute).Assembly.Location]);
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
