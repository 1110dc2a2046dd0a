using BenchmarkDotNet.Attributes;
using BufferedMessages.Generator;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Toolkit.Benchmarks.Generator;

/// <summary>
/// A run of the generator over many message types: the first one, one after an edit that has nothing to do with messages, one after an edit in a method of
/// a message type, and one after an edit of a member of it. The files are parsed before. Nothing else is known of the compilation, as in an editor, which throws
/// it away after each edit.
/// </summary>
[MemoryDiagnoser]
public class GeneratorBenchmarks
{
    private SourceProject _project = null!;
    private GeneratorDriver _warm = null!;
    private SyntaxTree[] _unrelated = null!;
    private SyntaxTree[] _body = null!;
    private SyntaxTree[] _member = null!;

    [Params(1, 100, 1000)]
    public int Types { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _project = MessageTypes.Project(Types);
        _warm = NewDriver().RunGenerators(_project.Compilation);
        _unrelated = Edit("Unrelated.cs", "=> 1", "=> 2");
        _body = Edit($"M{Types / 2}.cs", "return Title", "return Name ?? Title");
        _member = Edit($"M{Types / 2}.cs", "public int Id", "public long Id");
    }

    [Benchmark]
    public object Cold_BufferedMessages() => NewDriver().RunGenerators(_project.Compilation.Clone());

    [Benchmark]
    public object UnrelatedEdit_BufferedMessages() => RunAfter(_unrelated);

    [Benchmark]
    public object BodyEdit_BufferedMessages() => RunAfter(_body);

    [Benchmark]
    public object MemberEdit_BufferedMessages() => RunAfter(_member);

    private GeneratorDriver RunAfter(SyntaxTree[] edit) => _warm.RunGenerators(_project.Compilation.ReplaceSyntaxTree(edit[0], edit[1]));

    private CSharpGeneratorDriver NewDriver() =>
        CSharpGeneratorDriver.Create([new BufferedMessageGenerator().AsSourceGenerator()], parseOptions: _project.ParseOptions);

    private SyntaxTree[] Edit(string path, string text, string replacement)
    {
        var before = _project.Compilation.SyntaxTrees.Single(tree => string.Equals(tree.FilePath, path, StringComparison.Ordinal));
        return [before, _project.Parse(new SourceFile(path, before.ToString().Replace(text, replacement, StringComparison.Ordinal)))];
    }
}
