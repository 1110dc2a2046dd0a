namespace BufferedMessages.CrossProcess;

/// <summary>A directory for the files of one test, deleted at its end.</summary>
internal sealed class QueueDirectory : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("bmq-").FullName;

    /// <summary>The queue's directory, which does not exist yet.</summary>
    public string Queue => Path.Combine(_root, "queue");

    /// <summary>The file for notes.</summary>
    public string Notes => Path.Combine(_root, "notes");

    public void Dispose() => Directory.Delete(_root, recursive: true);
}
