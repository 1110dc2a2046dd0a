namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>A path that nothing else uses; the file, if there is one, goes away with it.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), System.IO.Path.GetRandomFileName());

    public void Dispose() => File.Delete(Path);
}
