namespace BufferedMessages.Caching.Tests;

/// <summary>A test that runs only on Linux.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip = "The memory budget is held, and can be measured, on Linux only.";
        }
    }
}
