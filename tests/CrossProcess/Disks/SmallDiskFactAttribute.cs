namespace BufferedMessages.CrossProcess;

/// <summary>A test that needs a disk it can fill.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class SmallDiskFactAttribute : FactAttribute
{
    public SmallDiskFactAttribute()
    {
        using var disk = SmallDisk.TryMount();
        if (disk is null)
        {
            Skip = "Mounting a small tmpfs is not permitted here; it takes Linux and root.";
        }
    }
}
