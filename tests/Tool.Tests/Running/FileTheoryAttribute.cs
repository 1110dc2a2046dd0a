namespace BufferedMessages.Tool.Tests;

/// <summary>Tests that need a file of the system, such as a program or a device.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FileTheoryAttribute : TheoryAttribute
{
    public const string Bash = "/bin/bash";

    /// <summary>The device of Linux that is always full.</summary>
    public const string FullDevice = "/dev/full";

    public FileTheoryAttribute(string path)
    {
        if (!File.Exists(path))
        {
            Skip = $"'{path}' is missing.";
        }
    }
}
