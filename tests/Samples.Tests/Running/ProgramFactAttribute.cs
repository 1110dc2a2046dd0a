namespace BufferedMessages.Samples.Tests.Running;

/// <summary>A test on Linux that needs a program of the system.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class ProgramFactAttribute : FactAttribute
{
    public ProgramFactAttribute(string program)
    {
        Program = program;
        if (!OperatingSystem.IsLinux() || !(Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(folder => File.Exists(Path.Combine(folder, program))))
        {
            Skip = $"Needs {program} on Linux.";
        }
    }

    public string Program { get; }
}
