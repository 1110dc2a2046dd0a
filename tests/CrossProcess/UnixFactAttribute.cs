namespace BufferedMessages.CrossProcess;

/// <summary>A test that sends Unix signals.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class UnixFactAttribute : FactAttribute
{
    public UnixFactAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Windows has no signals that stop a process.";
        }
    }
}
