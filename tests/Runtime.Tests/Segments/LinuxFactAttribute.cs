namespace BufferedMessages.Runtime.Tests.Segments;

/// <summary>A test of system calls that only Linux has.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip = "Only Linux has these system calls.";
        }
    }
}
