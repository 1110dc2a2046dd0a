using BenchmarkDotNet.Attributes;
using BufferedMessages.Generator;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Toolkit.Benchmarks.Generator;

/// <summary>
/// A run of the generator over many message types: the first one, one after an edit that has nothing to do with messages, and one after
/// an edit of a message type. The compilation is made before; editors do that anyway.
/// </summary>
[MemoryDiagnoser]
public class GeneratorBenchmarks
{
    private const string Unrelated = "internal static class Unrelated { public static int Value => 1; }";

    private SourceProject _project = null!;
    private GeneratorDriver _warm = null!;
    private Compilation _afterUnrelatedEdit = null!;
    private Compilation _afterRelevantEdit = null!;

    [Params(1, 100, 1000)]
    public int Types { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _project = SourceProject.Of(
            Enumerable.Range(0, Types).Select(static number => new SourceFile($"M{number}.cs", "using System;\n" + MessageTypes.Source(number)))
                .Append(new SourceFile("Unrelated.cs", Unrelated)));
        _warm = NewDriver().RunGenerators(_project.Compilation);
        _afterUnrelatedEdit = Edit("Unrelated.cs", "=> 1", "=> 2");
        _afterRelevantEdit = Edit($"M{Types / 2}.cs", "public int Id", "public long Id");
    }

    [Benchmark]
    public object Cold_BufferedMessages() => NewDriver().RunGenerators(_project.Compilation);

    [Benchmark]
    public object UnrelatedEdit_BufferedMessages() => _warm.RunGenerators(_afterUnrelatedEdit);

    [Benchmark]
    public object RelevantEdit_BufferedMessages() => _warm.RunGenerators(_afterRelevantEdit);

    private CSharpGeneratorDriver NewDriver() =>
        CSharpGeneratorDriver.Create([new BufferedMessageGenerator().AsSourceGenerator()], parseOptions: _project.ParseOptions);

    private CSharpCompilation Edit(string path, string text, string replacement)
    {
        var before = _project.Compilation.SyntaxTrees.Single(tree => string.Equals(tree.FilePath, path, StringComparison.Ordinal));
        var after = _project.Parse(new SourceFile(path, before.ToString().Replace(text, replacement, StringComparison.Ordinal)));
        var edited = _project.Compilation.ReplaceSyntaxTree(before, after);

        // Editors bind the types of a compilation for other reasons too; the first who asks should not pay here.
        _ = edited.GetDiagnostics();
        return edited;
    }
}
