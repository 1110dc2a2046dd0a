using System.Diagnostics;

namespace BufferedMessages.CrossProcess.Doors;

/// <summary>A theory that starts a process of another user: it needs to run as root, <c>setpriv</c>, and a program that the other user may read.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OtherUserTheoryAttribute : TheoryAttribute
{
    public OtherUserTheoryAttribute()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            Skip = "Only root can start a process of another user.";
        }
        else if (!CanRead())
        {
            Skip = "The user nobody may not read this program, or there is no setpriv.";
        }
    }

    private static bool CanRead()
    {
        try
        {
            using var process = Process.Start("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "test", "-r", typeof(OtherUserTheoryAttribute).Assembly.Location]);
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
