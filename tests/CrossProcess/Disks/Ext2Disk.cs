namespace BufferedMessages.CrossProcess;

/// <summary>A disk of 8 MB whose file system cannot allocate a file ahead of its writes: an ext2 in a sparse file on a memory file system.</summary>
internal sealed class Ext2Disk : IDisposable
{
    private const int Megabytes = 8;

    private readonly SmallDisk _outer;

    private Ext2Disk(SmallDisk outer) => _outer = outer;

    public string Path => _outer.Path + "-inner";

    public static Ext2Disk? TryMount()
    {
        if (SmallDisk.TryMount(Megabytes + 1) is not { } outer)
        {
            return null;
        }

        var disk = new Ext2Disk(outer);
        Directory.CreateDirectory(disk.Path);
        var image = System.IO.Path.Combine(outer.Path, "image");
        using (var file = File.Create(image))
        {
            file.SetLength(Megabytes * 1024 * 1024);
        }

        if (SmallDisk.Run("mkfs.ext2", "-q", image) && SmallDisk.Run("mount", "-o", "loop", image, disk.Path))
        {
            return disk;
        }

        outer.Dispose();
        Directory.Delete(disk.Path);
        return null;
    }

    /// <summary>Detaches the disk at once, even while a queue of a test that failed keeps it busy.</summary>
    public void Dispose()
    {
        SmallDisk.Run("umount", "--lazy", Path);
        Directory.Delete(Path);
        _outer.Dispose();
    }
}
