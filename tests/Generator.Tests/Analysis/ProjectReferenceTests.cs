using System.Globalization;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests;

/// <summary>An editor refers to the source of another project where a build refers to its assembly. Both report the same, and generate the same code.</summary>
public sealed class ProjectReferenceTests
{
    public static TheoryData<string, string, string[]> Projects => new()
    {
        { "public class Basis { public object? Tag { get; set; } }", "class Order : Basis { public int Id; }", ["BMSG0020"] },
        { "public class Basis { public int Count { get; private set; } }", "class Order : Basis { public int Id; }", ["BMSG0029"] },
        { "public class Basis { public int Count { set { } } }", "class Order : Basis { public int Id; }", ["BMSG0024"] },
        { "public class Basis { public int BufferedBlock; }", "class Order : Basis { public int Id; }", ["BMSG0006"] },
        { "public class Basis { [BufferedMessageConverter(typeof(int))] public Uri? Link; }", "class Order : Basis { public int Id; }", ["BMSG0032"] },
        { "[BufferedReserved(7, typeof(int))] public class Basis;", "class Order : Basis { public int Id; }", ["BMSG0027"] },
        { "public record Basis(int Id, object? Tag);", "record Order(int Id, object? Tag) : Basis(Id, Tag);", ["BMSG0020"] },
        { "[BufferedMessageSource] public partial class Basis { public int Id; public object? Tag; }", "class Order : Basis { public int Count; }", [] },
        { "[BufferedMessageUnion, BufferedReserved(1)] public partial interface IShape;", "class Circle : IShape { public int Id; }", [] },
        { "[BufferedMessageUnion, BufferedReserved(1)] public abstract partial class Shape;", "class Circle : Shape { public int Id; }", [] },
        { "public class Basis { public int Id; } public class Hiding : Basis { private new int Id; internal int Count; }", "class Order : Hiding { public int Count; }", [] },
        { "public struct Point(int x) { public int Y = 1; public int X => x; }", "class Order { public int Id; public Point Point; }", ["BMSG0022"] },
    };

    [Theory]
    [MemberData(nameof(Projects))]
    public async Task A_project_in_an_editor_is_judged_as_in_a_build(string library, string source, string[] rules)
    {
        var referenced = SourceProject.Of(library, new ProjectOptions { AssemblyName = "Library" }).Generate();
        var (build, buildFiles) = await Judge(source, MetadataReference.CreateFromImage(referenced.Emit()));
        var (editor, editorFiles) = await Judge(source, referenced.Compilation.ToMetadataReference());

        Assert.Equal(build, editor);
        Assert.Equal(buildFiles, editorFiles);
        Assert.Equal(rules, editor.Select(static problem => problem.Id));
    }

    [Theory]
    [InlineData("class Order { public int Id; public Line? Line; }", "BMSG0020")]
    [InlineData("class Order { public int Id; public static void Run(MessageQueue queue) => queue.OpenProducer<Line>(); }", "BMSG0070")]
    [InlineData("class Order { public int Id; public static void Run(MessageQueue queue) => queue.OpenConsumer<Line>(\"a\"); }", "BMSG0070")]
    public async Task The_attribute_is_not_advised_for_a_type_of_a_project_that_does_not_know_it(string source, string rule)
    {
        var library = CSharpCompilation.Create(
            "Library",
            [CSharpSyntaxTree.ParseText("public class Line { public int Id; }")],
            [MetadataReference.CreateFromFile(typeof(object).Assembly.Location)],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var assembly = new MemoryStream();
        Assert.True(library.Emit(assembly).Success);
        var (build, _) = await Judge(source, MetadataReference.CreateFromImage(assembly.ToArray()));
        var (editor, _) = await Judge(source, library.ToMetadataReference());

        Assert.Equal(build, editor);
        Assert.Equal(rule, Assert.Single(editor).Id);
        Assert.DoesNotContain("[BufferedMessageSource]", editor[0].Message, StringComparison.Ordinal);
    }

    private static async Task<(IReadOnlyList<(string Id, string Message)> Problems, IEnumerable<string> Files)> Judge(string source, MetadataReference library)
    {
        var project = SourceProject.Of([new SourceFile("Source.cs", "[BufferedMessageSource] public partial " + source)], new ProjectOptions(), library);
        var problems = await AnalyzerTests.Analyze(project);
        return ([.. problems.Select(static problem => (problem.Id, problem.GetMessage(CultureInfo.InvariantCulture)))], project.Generate().Files.Values);
    }
}
