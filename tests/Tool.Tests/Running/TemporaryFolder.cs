namespace BufferedMessages.Tool.Tests;

/// <summary>A folder that is gone after the test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("tool-tests-").FullName;

    public string PathOf(string relative) => System.IO.Path.Combine(Path, relative);

    /// <summary>Copies a folder with all that is in it.</summary>
    public string Copy(string source, string name)
    {
        var target = PathOf(name);
        foreach (var folder in Directory.EnumerateDirectories(source, "*", SearchOption.AllDirectories).Append(source))
        {
            Directory.CreateDirectory(System.IO.Path.Combine(target, System.IO.Path.GetRelativePath(source, folder)));
        }

        foreach (var file in Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories))
        {
            File.Copy(file, System.IO.Path.Combine(target, System.IO.Path.GetRelativePath(source, file)));
        }

        return target;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
