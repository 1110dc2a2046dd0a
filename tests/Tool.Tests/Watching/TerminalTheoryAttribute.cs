namespace BufferedMessages.Tool.Tests;

/// <summary>Tests that need a terminal, which the program <c>script</c> makes.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TerminalTheoryAttribute : TheoryAttribute
{
    public TerminalTheoryAttribute() => Skip = TerminalFactAttribute.Absence;
}
