namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The queue directories that make_queue.py makes, all of them in one process. Readers change nothing in them; a test that does makes one of its own.</summary>
public sealed class MadeQueues : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("made").FullName;

    public MadeQueues()
    {
        if (PythonReader.IsInstalled)
        {
            ExternalProgram.Run(PythonReader.Program, Path.Combine(ReaderFolders.Tests, "make_queue.py"), "all", _folder);
        }
    }

    /// <summary>The names of all scenarios.</summary>
    public IEnumerable<string> Scenarios => Directory.GetDirectories(_folder).Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal);

    /// <summary>The directory of a scenario, and the lines that a reader must print of it.</summary>
    public (string Directory, string Expected) Of(string scenario)
    {
        var directory = Path.Combine(_folder, scenario);
        return (directory, File.ReadAllText(directory + ".lines"));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
