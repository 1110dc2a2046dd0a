namespace BufferedMessages.CrossProcess;

/// <summary>
/// A disk that fails when it is asked to: an ext4 file system in a sparse file on a memory file system that is full. What it has promised to
/// the files on it, it cannot store.
/// </summary>
internal sealed class FailingDisk : IDisposable
{
    private const int OuterMegabytes = 16;
    private const int InnerBytes = 32 * 1024 * 1024;

    private readonly SmallDisk _outer;

    private FailingDisk(SmallDisk outer) => _outer = outer;

    public string Path => _outer.Path + "-inner";

    private string Filler => System.IO.Path.Combine(_outer.Path, "filler");

    public static FailingDisk? TryMount()
    {
        if (SmallDisk.TryMount(OuterMegabytes) is not { } outer)
        {
            return null;
        }

        var disk = new FailingDisk(outer);
        Directory.CreateDirectory(disk.Path);
        var image = System.IO.Path.Combine(outer.Path, "image");
        using (var file = File.Create(image))
        {
            file.SetLength(InnerBytes);
        }

        // Without a journal: the file system stays writable when a write fails. Blocks as large as the pages below: Linux takes a write of which the first page has room for whole.
        if (SmallDisk.Run("mkfs.ext4", "-q", "-b", "4096", "-O", "^has_journal", "-E", "lazy_itable_init=0", image) && SmallDisk.Run("mount", "-o", "loop,errors=continue", image, disk.Path))
        {
            return disk;
        }

        outer.Dispose();
        Directory.Delete(disk.Path);
        return null;
    }

    /// <summary>From now on the disk fails.</summary>
    public void Fail()
    {
        using var file = File.OpenHandle(Filler, FileMode.Create, FileAccess.Write);
        var chunk = new byte[4096];
        try
        {
            while (true)
            {
                RandomAccess.Write(file, chunk, RandomAccess.GetLength(file));
            }
        }
        catch (IOException) when (new DriveInfo(_outer.Path).AvailableFreeSpace == 0)
        {
            // Full. Asked before each write it could be wrong: a flush of the inner disk may take the last page in between.
        }
    }

    /// <summary>From now on the disk works again.</summary>
    public void Repair() => File.Delete(Filler);

    public void Dispose()
    {
        // The flush thread of a queue may end a moment behind its Dispose, and the disk is busy until then.
        Assert.True(SpinWait.SpinUntil(() => SmallDisk.Run("umount", Path), TimeSpan.FromSeconds(60)));
        Directory.Delete(Path);
        _outer.Dispose();
    }
}
