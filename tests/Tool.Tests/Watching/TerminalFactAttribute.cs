namespace BufferedMessages.Tool.Tests;

/// <summary>A test that needs a terminal, which the program <c>script</c> makes.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TerminalFactAttribute : FactAttribute
{
    public const string Program = "/usr/bin/script";

    public TerminalFactAttribute()
    {
        if (!OperatingSystem.IsLinux() || !File.Exists(Program))
        {
            Skip = "There is no program 'script' that makes a terminal.";
        }
    }
}
