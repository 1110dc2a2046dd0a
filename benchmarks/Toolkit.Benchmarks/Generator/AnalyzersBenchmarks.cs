using System.Collections.Immutable;
using BenchmarkDotNet.Attributes;
using BufferedMessages.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Toolkit.Benchmarks.Generator;

/// <summary>
/// A run of all analyzers over many message types with their generated code: over the project, as in a build, and over one file, as in an editor. For each also
/// with an analyzer that does nothing. It costs what the compiler itself does then: it binds the project or the file. The difference is the cost of the rules.
/// The compiler's code is compiled at run time, so a run over a project is much slower in the first seconds of a process than later.
/// </summary>
[WarmupCount(8)]
[IterationCount(11)]
public class AnalyzersBenchmarks
{
    private static readonly ImmutableArray<DiagnosticAnalyzer> Rules =
        [.. typeof(BufferedMessageGenerator).Assembly.GetExportedTypes()
            .Where(static type => !type.IsAbstract && type.IsSubclassOf(typeof(DiagnosticAnalyzer)))
            .Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!)];

    private static readonly ImmutableArray<DiagnosticAnalyzer> NoRules = [new IdleAnalyzer()];

    private static readonly CompilationWithAnalyzersOptions Options = new(new AnalyzerOptions([]), onAnalyzerException: null, concurrentAnalysis: true, logAnalyzerExecutionTime: false);

    private Compilation _compilation = null!;
    private SyntaxTree _file = null!;

    [Params(100)]
    public int Types { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        var project = MessageTypes.Project(Types);
        CSharpGeneratorDriver.Create([new BufferedMessageGenerator().AsSourceGenerator()], parseOptions: project.ParseOptions)
            .RunGeneratorsAndUpdateCompilation(project.Compilation, out _compilation, out _);
        _file = _compilation.SyntaxTrees.Single(tree => string.Equals(tree.FilePath, $"M{Types / 2}.cs", StringComparison.Ordinal));
    }

    [Benchmark]
    public Task<ImmutableArray<Diagnostic>> Project_BufferedMessages() => OfProject(Rules);

    [Benchmark]
    public Task<ImmutableArray<Diagnostic>> ProjectWithoutRules_BufferedMessages() => OfProject(NoRules);

    [Benchmark]
    public Task<ImmutableArray<Diagnostic>> File_BufferedMessages() => OfFile(Rules);

    [Benchmark]
    public Task<ImmutableArray<Diagnostic>> FileWithoutRules_BufferedMessages() => OfFile(NoRules);

    private Task<ImmutableArray<Diagnostic>> OfProject(ImmutableArray<DiagnosticAnalyzer> analyzers) =>
        new CompilationWithAnalyzers(_compilation.Clone(), analyzers, Options).GetAnalyzerDiagnosticsAsync();

    private Task<ImmutableArray<Diagnostic>> OfFile(ImmutableArray<DiagnosticAnalyzer> analyzers)
    {
        var compilation = new CompilationWithAnalyzers(_compilation.Clone(), analyzers, Options);
        return compilation.GetAnalyzerSemanticDiagnosticsAsync(compilation.Compilation.GetSemanticModel(_file), filterSpan: null, CancellationToken.None);
    }
}
