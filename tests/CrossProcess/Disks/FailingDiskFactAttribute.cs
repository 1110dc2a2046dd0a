namespace BufferedMessages.CrossProcess;

/// <summary>A test that needs a disk that fails.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FailingDiskFactAttribute : FactAttribute
{
    public FailingDiskFactAttribute()
    {
        using var disk = FailingDisk.TryMount();
        if (disk is null)
        {
            Skip = "Mounting a loop device is not permitted here; it takes Linux and root.";
        }
    }
}
