namespace BufferedMessages.CrossProcess;

/// <summary>A disk with a file system of its choice, in a sparse file on a memory file system.</summary>
internal sealed class LoopDisk : IDisposable
{
    private readonly SmallDisk _outer;

    private LoopDisk(SmallDisk outer) => _outer = outer;

    public string Path => _outer.Path + "-inner";

    /// <summary>The memory file system below.</summary>
    public string OuterPath => _outer.Path;

    /// <summary>The file in it that holds the disk.</summary>
    public string ImagePath => System.IO.Path.Combine(OuterPath, "image");

    /// <summary>A disk of 8 MB whose file system cannot allocate a file ahead of its writes.</summary>
    public static LoopDisk? TryMountExt2() => TryMount(outerMegabytes: 9, megabytes: 8, "loop", "mkfs.ext2");

    /// <summary>Makes a disk. Null if that is not permitted.</summary>
    /// <param name="outerMegabytes">The room of the memory file system.</param>
    /// <param name="megabytes">The size of the disk.</param>
    /// <param name="mountOptions">How it is mounted.</param>
    /// <param name="format">The program that makes the file system.</param>
    /// <param name="formatOptions">Its options.</param>
    public static LoopDisk? TryMount(int outerMegabytes, int megabytes, string mountOptions, string format, params string[] formatOptions)
    {
        if (SmallDisk.TryMount(outerMegabytes) is not { } outer)
        {
            return null;
        }

        var disk = new LoopDisk(outer);
        Directory.CreateDirectory(disk.Path);
        using (var file = File.Create(disk.ImagePath))
        {
            file.SetLength(megabytes * 1024L * 1024);
        }

        if (SmallDisk.Run(format, ["-q", .. formatOptions, disk.ImagePath]) && SmallDisk.Run("mount", "-o", mountOptions, disk.ImagePath, disk.Path))
        {
            return disk;
        }

        Directory.Delete(disk.Path);
        outer.Dispose();
        return null;
    }

    /// <summary>Detaches the disk at once, even while a flush thread that is about to end, or a queue of a test that failed, keeps it busy.</summary>
    public void Dispose()
    {
        SmallDisk.Run("umount", "--lazy", Path);
        Directory.Delete(Path);
        _outer.Dispose();
    }
}
