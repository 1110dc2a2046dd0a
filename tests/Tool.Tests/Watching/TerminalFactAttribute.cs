namespace BufferedMessages.Tool.Tests;

/// <summary>A test that needs a terminal, which the program <c>script</c> makes.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TerminalFactAttribute : FactAttribute
{
    public const string Program = "/usr/bin/script";

    public TerminalFactAttribute() => Skip = Absence;

    /// <summary>Why there is no terminal; null if there is one.</summary>
    public static string? Absence => !OperatingSystem.IsLinux() || !File.Exists(Program) ? "There is no program 'script' that makes a terminal." : null;
}
