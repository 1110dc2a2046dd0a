namespace BufferedMessages.Tool.Tests;

/// <summary>A test that starts a process as another user, which only root may do.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class OtherUserFactAttribute : FactAttribute
{
    public const string Program = "/usr/bin/setpriv";

    public OtherUserFactAttribute()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess || !File.Exists(Program))
        {
            Skip = "Only root may start a process as another user, by the program 'setpriv'.";
        }
    }
}
