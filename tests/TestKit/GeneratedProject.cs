using System.Collections.Immutable;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.TestKit;

/// <summary>A project after the generator ran.</summary>
public sealed class GeneratedProject
{
    private readonly HashSet<SyntaxTree> _generatedTrees;

    internal GeneratedProject(CSharpCompilation compilation, GeneratorDriverRunResult result, ImmutableArray<Diagnostic> generatorDiagnostics)
    {
        Compilation = compilation;
        GeneratorDiagnostics = generatorDiagnostics;
        Files = result.Results.SelectMany(static one => one.GeneratedSources)
            .ToDictionary(static file => file.HintName, static file => file.SourceText.ToString(), StringComparer.Ordinal);
        _generatedTrees = [.. result.GeneratedTrees];
    }

    /// <summary>The compilation with the generated files.</summary>
    public CSharpCompilation Compilation { get; }

    /// <summary>The generated texts by hint name.</summary>
    public IReadOnlyDictionary<string, string> Files { get; }

    /// <summary>What the generator itself reported: mistakes that keep analyzers from running. It leaves others to the analyzers.</summary>
    public ImmutableArray<Diagnostic> GeneratorDiagnostics { get; }

    /// <summary>Errors and warnings of the compiler, without the missing documentation of the test's own source.</summary>
    public IReadOnlyList<Diagnostic> Problems =>
        [.. Compilation.GetDiagnostics().Where(problem =>
            problem.Severity >= DiagnosticSeverity.Warning
            && (problem.Id is not "CS1591" || _generatedTrees.Contains(problem.Location.SourceTree!)))];

    /// <summary>Compiles to an assembly in memory.</summary>
    /// <exception cref="InvalidOperationException">It does not compile; the message has the errors.</exception>
    public byte[] Emit()
    {
        using var stream = new MemoryStream();
        var result = Compilation.Emit(stream);
        return result.Success
            ? stream.ToArray()
            : throw new InvalidOperationException(string.Join('\n', result.Diagnostics.Where(static problem => problem.Severity == DiagnosticSeverity.Error)));
    }

    /// <summary>Compiles, and loads the assembly into a context of its own that can be collected.</summary>
    public Assembly Load()
    {
        var context = new AssemblyLoadContext(Compilation.AssemblyName, isCollectible: true);
        using var stream = new MemoryStream(Emit());
        return context.LoadFromStream(stream);
    }
}
