namespace BufferedMessages.CrossProcess;

/// <summary>A theory that sends Unix signals.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class UnixTheoryAttribute : TheoryAttribute
{
    public UnixTheoryAttribute()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip = "Windows has no signals that stop a process.";
        }
    }
}
