using System.Text;

namespace BufferedMessages.CrossProcess;

/// <summary>
/// A disk that fails when it is asked to: an ext4 file system in a sparse file on a memory file system that is full. What it has promised to
/// the files on it, it cannot store.
/// </summary>
internal sealed class FailingDisk : IDisposable
{
    private readonly LoopDisk _disk;

    private FailingDisk(LoopDisk disk) => _disk = disk;

    public string Path => _disk.Path;

    private string Filler => System.IO.Path.Combine(_disk.OuterPath, "filler");

    // Without a journal the file system stays writable when a write fails. Blocks are as large as the pages below: a loop device reports a write as whole if its first page has room.
    public static FailingDisk? TryMount() =>
        LoopDisk.TryMount(outerMegabytes: 16, megabytes: 32, "loop,errors=continue", "mkfs.ext4", "-b", "4096", "-O", "^has_journal", "-E", "lazy_itable_init=0") is { } disk
            ? new FailingDisk(disk)
            : null;

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
        catch (IOException) when (new DriveInfo(_disk.OuterPath).AvailableFreeSpace == 0)
        {
            // Full. Asked before each write it could be wrong: a flush of the inner disk may take the last page in between.
        }
    }

    /// <summary>From now on the disk works again.</summary>
    public void Repair() => File.Delete(Filler);

    /// <summary>Whether a text is anywhere on the disk; what the system holds in memory for it does not count.</summary>
    public bool Stores(string text) => File.ReadAllBytes(_disk.ImagePath).AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) >= 0;

    /// <summary>The number that the disk has at a place, so many bytes from the beginning of a text.</summary>
    public int NumberAt(string text, int offset)
    {
        var image = File.ReadAllBytes(_disk.ImagePath);
        var start = image.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text));
        Assert.True(start >= 0);
        return BitConverter.ToInt32(image, start + offset);
    }

    public void Dispose() => _disk.Dispose();
}
