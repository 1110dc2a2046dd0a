namespace BufferedMessages.Sessions;

/// <summary>A directory of its own for one queue, deleted at the end.</summary>
internal sealed class SessionDirectory : IDisposable
{
    public SessionDirectory(string parent) =>
        Path = Directory.CreateDirectory(System.IO.Path.Combine(parent, $"toolkit-session-{Environment.ProcessId}-{Guid.NewGuid():N}")).FullName;

    public string Path { get; }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
