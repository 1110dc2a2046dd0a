namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The reader in Python, run as a program.</summary>
internal static class PythonReader
{
    private const string Command = "python3";
    private const int Processes = 2;

    /// <summary>Whether Python 3.9 or a later one is installed.</summary>
    public static bool IsInstalled { get; } = ExternalProgram.Works(Command, "-c", "import sys; sys.exit(sys.version_info < (3, 9))");

    /// <summary>The interpreter itself: the command may be a script that looks for it, and takes longer than a test.</summary>
    public static string Program { get; } = IsInstalled ? ExternalProgram.Run(Command, "-c", "import sys; print(sys.executable)").Trim() : Command;

    /// <summary>The module, which is a program too.</summary>
    public static string Source { get; } = Path.Combine(ReaderFolders.Python, "bufferedmessages.py");

    /// <summary>The module when it is compiled. The interpreter would compile the source again in each process that runs it.</summary>
    public static string Module { get; } = IsInstalled ? Compile() : Source;

    /// <summary>Reads all messages of a file, in two processes.</summary>
    public static IReadOnlyList<ReaderLine> Read(ReaderFile file)
    {
        var path = file.Save();
        var script = Path.Combine(ReaderFolders.Tests, "batch.py");
        var parts = Enumerable.Range(0, Processes)
            .Select(part => Task.Run(() => ReaderLine.Parse(ExternalProgram.Run(Program, script, ReaderFolders.Python, path, $"{part}", $"{Processes}"))))
            .ToList();
        return file.Merge([.. parts.Select(static part => part.GetAwaiter().GetResult())]);
    }

    private static string Compile()
    {
        var folder = Directory.CreateTempSubdirectory("reader").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        var compiled = Path.Combine(folder, "bufferedmessages.pyc");
        ExternalProgram.Run(Program, "-c", "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)", Source, compiled);
        return compiled;
    }
}

/// <summary>A test that runs Python.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PythonFactAttribute : FactAttribute
{
    public const string Reason = "python3 (3.9 or later) is not installed, so the reader in Python is not tested.";

    public PythonFactAttribute() => Skip = PythonReader.IsInstalled ? null : Reason;
}

/// <summary>A test of several cases that runs Python.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PythonTheoryAttribute : TheoryAttribute
{
    public PythonTheoryAttribute() => Skip = PythonReader.IsInstalled ? null : PythonFactAttribute.Reason;
}
