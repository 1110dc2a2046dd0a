namespace BufferedMessages.Tool.Tests;

/// <summary>Tests that need the shell <c>zsh</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class ZshTheoryAttribute : TheoryAttribute
{
    public ZshTheoryAttribute()
    {
        if (Program is null)
        {
            Skip = "The program 'zsh' is not installed.";
        }
    }

    /// <summary>Gets the shell; null if it is not installed.</summary>
    public static string? Program { get; } = Array.Find(["/usr/bin/zsh", "/bin/zsh"], File.Exists);
}
