namespace BufferedMessages.CrossProcess;

/// <summary>A test that needs a disk whose file system cannot allocate ahead.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class Ext2DiskFactAttribute : FactAttribute
{
    public Ext2DiskFactAttribute()
    {
        using var disk = LoopDisk.TryMountExt2();
        if (disk is null)
        {
            Skip = "Mounting an ext2 file system is not permitted here; it takes Linux, root, a loop device and mkfs.ext2.";
        }
    }
}
