namespace BufferedMessages.Tool;

/// <summary>A file that gets its name when it is whole. If the work ends before that, nothing of it stays.</summary>
internal sealed class NewFile : IDisposable
{
    private const string UnfinishedSuffix = ".creating";

    private readonly string _path;

    /// <param name="path">The name, which no file has yet.</param>
    /// <exception cref="ToolException">There is such a file.</exception>
    public NewFile(string path)
    {
        _path = Path.GetFullPath(path);
        RequireFree();
        File.Delete(UnfinishedPath);
    }

    /// <summary>Gets the name until it is whole.</summary>
    public string UnfinishedPath => _path + UnfinishedSuffix;

    /// <summary>Gives the file, which is closed by now, its name.</summary>
    public void Complete()
    {
        RequireFree();
        File.Move(UnfinishedPath, _path);
    }

    public void Dispose() => File.Delete(UnfinishedPath);

    private void RequireFree()
    {
        if (File.Exists(_path))
        {
            throw new ToolException($"The file '{_path}' already exists. Delete it, or give another name.");
        }
    }
}
