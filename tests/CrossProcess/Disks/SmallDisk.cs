using System.Diagnostics;

namespace BufferedMessages.CrossProcess;

/// <summary>A memory file system of a few megabytes, where the test may mount one.</summary>
internal sealed class SmallDisk : IDisposable
{
    private SmallDisk(string path) => Path = path;

    public string Path { get; }

    public static SmallDisk? TryMount(int megabytes = 1)
    {
        var path = Directory.CreateTempSubdirectory("bmq-disk-").FullName;
        if (OperatingSystem.IsLinux() && Run("mount", "-t", "tmpfs", "-o", $"size={megabytes}m", "tmpfs", path))
        {
            return new SmallDisk(path);
        }

        Directory.Delete(path);
        return null;
    }

    /// <summary>Fills the disk but for so many bytes.</summary>
    public string FillBut(long bytes)
    {
        var path = System.IO.Path.Combine(Path, "filler");
        File.WriteAllBytes(path, new byte[new DriveInfo(Path).AvailableFreeSpace - bytes]);
        return path;
    }

    /// <summary>Makes files until the disk can hold no other one, whatever room it has.</summary>
    /// <returns>The files.</returns>
    public IReadOnlyList<string> FillWithNames()
    {
        Assert.True(Run("mount", "-o", "remount,nr_inodes=200", Path));
        var names = new List<string>();
        try
        {
            while (true)
            {
                var path = System.IO.Path.Combine(Path, $"name-{names.Count}");
                File.Create(path).Dispose();
                names.Add(path);
            }
        }
        catch (IOException)
        {
            return names;
        }
    }

    /// <summary>Nothing can be written from now on.</summary>
    public void MakeReadOnly() => Assert.True(Run("mount", "-o", "remount,ro", Path));

    /// <summary>Detaches the disk at once, even while a mapping that waits for the garbage collector keeps it busy.</summary>
    public void Dispose()
    {
        Run("umount", "--lazy", Path);
        Directory.Delete(Path);
    }

    /// <summary>Runs a program of the system.</summary>
    /// <returns>False when it failed, or is not there.</returns>
    internal static bool Run(string program, params string[] arguments)
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
