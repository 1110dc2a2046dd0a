namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The reader in C, compiled once in each run of the tests: with all warnings as errors, and with sanitizers, which end a program at its first fault.</summary>
internal static class CReader
{
    private const string Compiler = "gcc";
    private static readonly string[] Options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    private static readonly string Output = Directory.CreateTempSubdirectory("readers").FullName;

    // The programs share the object: compiling the reader takes much longer than compiling one of them.
    private static readonly Lazy<string> LazyReader = new(static () => Compile("bufferedmessages.o", "-c", Path.Combine(ReaderFolders.C, "bufferedmessages.c")));
    private static readonly Lazy<string> LazyBatch = new(static () => CompileProgram("batch", ReaderFolders.Tests));
    private static readonly Lazy<string> LazyFuzz = new(static () => CompileProgram("fuzz", ReaderFolders.Tests));
    private static readonly Lazy<string> LazyExample = new(static () => CompileProgram("example", ReaderFolders.C));

    static CReader() => AppDomain.CurrentDomain.ProcessExit += static (_, _) => Directory.Delete(Output, recursive: true);

    /// <summary>Whether the compiler and its sanitizers are installed.</summary>
    public static bool IsInstalled { get; } = CompilesNothing();

    /// <summary>The command line of the reader.</summary>
    public static string Example => LazyExample.Value;

    /// <summary>The program that damages messages.</summary>
    public static string Fuzz => LazyFuzz.Value;

    /// <summary>Reads all messages of a file.</summary>
    public static IReadOnlyList<ReaderLine> Read(ReaderFile file) => ReaderLine.Parse(ExternalProgram.Run(LazyBatch.Value, file.Save()));

    private static string CompileProgram(string name, string folder) => Compile(name, Path.Combine(folder, name + ".c"), LazyReader.Value);

    private static string Compile(string name, params string[] arguments)
    {
        var output = Path.Combine(Output, name);
        ExternalProgram.Run(Compiler, [.. Options, "-I", ReaderFolders.C, "-o", output, .. arguments]);
        return output;
    }

    private static bool CompilesNothing()
    {
        var source = Path.Combine(Output, "nothing.c");
        File.WriteAllText(source, "int main(void) { return 0; }\n");
        return ExternalProgram.Works(Compiler, [.. Options, "-o", Path.Combine(Output, "nothing"), source]);
    }
}

/// <summary>A test that compiles and runs C.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class CompilerFactAttribute : FactAttribute
{
    public const string Reason = "gcc with its sanitizers is not installed, so the reader in C is not tested.";

    public CompilerFactAttribute() => Skip = CReader.IsInstalled ? null : Reason;
}

/// <summary>A test of several cases that compiles and runs C.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class CompilerTheoryAttribute : TheoryAttribute
{
    public CompilerTheoryAttribute() => Skip = CReader.IsInstalled ? null : CompilerFactAttribute.Reason;
}

/// <summary>A test that compiles and runs C over files that Python makes.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class CompilerAndPythonFactAttribute : FactAttribute
{
    public CompilerAndPythonFactAttribute() =>
        Skip = CReader.IsInstalled && PythonReader.IsInstalled ? null : "gcc with its sanitizers, or python3 (3.9 or later), is not installed, so the reader in C is not tested over queues.";
}
