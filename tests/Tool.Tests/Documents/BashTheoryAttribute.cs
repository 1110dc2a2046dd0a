namespace BufferedMessages.Tool.Tests;

/// <summary>Tests that need the shell <c>bash</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class BashTheoryAttribute : TheoryAttribute
{
    public const string Program = "/bin/bash";

    public BashTheoryAttribute()
    {
        if (!File.Exists(Program))
        {
            Skip = "There is no bash.";
        }
    }
}
