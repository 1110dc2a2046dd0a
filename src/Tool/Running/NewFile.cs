using BufferedMessages.Segments;

namespace BufferedMessages.Tool;

/// <summary>A file that gets its name only when it is complete. If the work ends before that, nothing of it stays.</summary>
internal sealed class NewFile : IDisposable
{
    private const string UnfinishedSuffix = ".creating";

    private readonly string _path;
    private bool _isComplete;

    /// <param name="path">The name, which no file or folder has yet.</param>
    /// <exception cref="ToolException">There is such a file or folder, or another process is writing it.</exception>
    public NewFile(string path)
    {
        _path = Path.GetFullPath(path);
        RequireFree();
        DeleteLeftover();
    }

    /// <summary>Gets the name that the file has until it is complete.</summary>
    public string UnfinishedPath => _path + UnfinishedSuffix;

    /// <summary>Flushes the file, which is already closed, to the disk, and gives it its name. The file is complete even after a crash of the machine.</summary>
    /// <exception cref="ToolException">Another file has this name by now.</exception>
    /// <exception cref="IOException">The disk failed.</exception>
    public void Complete()
    {
        using (var file = File.OpenHandle(UnfinishedPath, FileMode.Open, FileAccess.Write))
        {
            DiskFlush.OfFile(file, UnfinishedPath);
        }

        if (!FinalName.TryGive(UnfinishedPath, _path))
        {
            throw Taken();
        }

        _isComplete = true;
        DiskFlush.TryOfDirectory(Path.GetDirectoryName(_path)!);
    }

    public void Dispose()
    {
        if (!_isComplete)
        {
            File.Delete(UnfinishedPath);
        }
    }

    // That of a process that died. One that writes it now would otherwise give the name to the file of this process.
    private void DeleteLeftover()
    {
        try
        {
            File.OpenHandle(UnfinishedPath, FileMode.Open, FileAccess.ReadWrite, FileShare.None).Dispose();
        }
        catch (FileNotFoundException)
        {
            return;
        }
        catch (IOException exception) when (FileLease.IsHeldByAnother(exception))
        {
            throw new ToolException($"Another process is writing the file '{_path}'. Wait until it ends, or give another name.");
        }

        File.Delete(UnfinishedPath);
    }

    private void RequireFree()
    {
        if (Path.Exists(_path))
        {
            throw Taken();
        }
    }

    private ToolException Taken() => new(Directory.Exists(_path) ? $"'{_path}' is a folder. Give the name of a file." : $"The file '{_path}' already exists. Delete it, or give another name.");
}
