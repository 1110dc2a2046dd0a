using System.Diagnostics;

namespace BufferedMessages.CrossProcess;

/// <summary>
/// A disk that fails when it is asked to: an ext4 file system in a sparse file on a memory file system that is full. What it has promised to
/// the files on it, it cannot store.
/// </summary>
internal sealed class FailingDisk : IDisposable
{
    private const int OuterBytes = 16 * 1024 * 1024;
    private const int InnerBytes = 32 * 1024 * 1024;

    private readonly string _outer;

    private FailingDisk(string outer) => _outer = outer;

    public string Path => _outer + "-inner";

    private string Filler => System.IO.Path.Combine(_outer, "filler");

    public static FailingDisk? TryMount()
    {
        var disk = new FailingDisk(Directory.CreateTempSubdirectory("bmq-disk-").FullName);
        Directory.CreateDirectory(disk.Path);
        var image = System.IO.Path.Combine(disk._outer, "image");
        if (OperatingSystem.IsLinux() && Run("mount", "-t", "tmpfs", "-o", $"size={OuterBytes}", "tmpfs", disk._outer))
        {
            using (var file = File.Create(image))
            {
                file.SetLength(InnerBytes);
            }

            // Without a journal: the file system stays writable when a write fails.
            if (Run("mkfs.ext4", "-q", "-O", "^has_journal", "-E", "lazy_itable_init=0", image) && Run("mount", "-o", "loop,errors=continue", image, disk.Path))
            {
                return disk;
            }

            Run("umount", disk._outer);
        }

        Directory.Delete(disk._outer);
        Directory.Delete(disk.Path);
        return null;
    }

    /// <summary>From now on the disk fails.</summary>
    public void Fail()
    {
        using var file = File.OpenHandle(Filler, FileMode.Create, FileAccess.Write);
        var chunk = new byte[4096];
        while (new DriveInfo(_outer).AvailableFreeSpace > 0)
        {
            RandomAccess.Write(file, chunk, RandomAccess.GetLength(file));
        }
    }

    /// <summary>From now on the disk works again.</summary>
    public void Repair() => File.Delete(Filler);

    public void Dispose()
    {
        Run("umount", Path);
        Run("umount", _outer);
        Directory.Delete(Path);
        Directory.Delete(_outer);
    }

    private static bool Run(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { UseShellExecute = false, RedirectStandardError = true, RedirectStandardOutput = true };
        try
        {
            using var process = Process.Start(start)!;
            process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
