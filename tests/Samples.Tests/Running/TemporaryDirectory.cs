namespace BufferedMessages.Samples.Tests.Running;

/// <summary>A directory that is gone after the test.</summary>
internal sealed class TemporaryDirectory : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("samples-tests-").FullName;

    public string PathOf(string relative) => System.IO.Path.Combine(Path, relative);

    /// <summary>Writes a file and the directories above it.</summary>
    public void Write(string relative, int bytes)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(PathOf(relative))!);
        File.WriteAllBytes(PathOf(relative), new byte[bytes]);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
