namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A file that the system can open for nobody until this is disposed: there is a link at its place that leads to itself. The queue does not take it for lost.</summary>
internal sealed class UnreadableFile : IDisposable
{
    private readonly string _path;
    private readonly string _aside;

    public UnreadableFile(string path)
    {
        _path = path;
        _aside = path + ".aside";
        File.Move(path, _aside);
        File.CreateSymbolicLink(path, path);
    }

    public void Dispose() => File.Move(_aside, _path, overwrite: true);
}
