using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.QuickStart;

/// <summary>A tree that takes long enough to walk that a kill can come in between.</summary>
public sealed class LargeTree : IDisposable
{
    private const int Directories = 40;
    private const int FilesPerDirectory = 200;

    private readonly TemporaryDirectory _tree = new();
    private readonly List<string> _paths = [];
    private readonly long _bytes;

    public LargeTree()
    {
        for (var directory = 0; directory < Directories; directory++)
        {
            for (var file = 0; file < FilesPerDirectory; file++)
            {
                var path = $"directory-{directory:000}/file-{file:000}.e{file % 37}";
                _tree.Write(path, file);
                _paths.Add(path);
                _bytes += file;
            }
        }
    }

    public string Path => _tree.Path;

    /// <summary>The paths in the order of the walk: a directory's files by name, then its directories by name.</summary>
    public IReadOnlyList<string> Paths => _paths;

    public string ExpectedLastLine => $"{_paths.Count} files, {_bytes} bytes, 0 bytes allocated per message";

    public void Dispose() => _tree.Dispose();
}
