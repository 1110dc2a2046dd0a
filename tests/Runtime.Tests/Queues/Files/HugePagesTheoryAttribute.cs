namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A test of what is asked of a Linux kernel that has huge pages.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class HugePagesTheoryAttribute : TheoryAttribute
{
    public HugePagesTheoryAttribute()
    {
        if (!Directory.Exists("/sys/kernel/mm/transparent_hugepage"))
        {
            Skip = "The kernel has no transparent huge pages.";
        }
    }
}
