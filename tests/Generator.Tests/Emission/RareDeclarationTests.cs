using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests;

/// <summary>Generated code for declarations that few programs have compiles without a word, in the oldest and in the newest language.</summary>
public sealed class RareDeclarationTests
{
    private const string Matrix =
        "[assembly: BufferedMessageConverter(typeof(MatrixConverter))] public static class MatrixConverter { public static string ToWire(int[,] value) => \"\"; public static int[,] FromWire(string value) => new int[1, 1]; } ";

    public static TheoryData<string> Sources =>
    [
        Matrix + "[BufferedMessageSource] public partial record Order(List<int[,]> Matrices, int[][,] Array, List<int[,]>[] Lists);",
        Matrix + "[BufferedMessageSource] public partial class Order { public ImmutableArray<int[,]> Matrices { get; init; } = []; public List<int?[][]> Counts { get; set; } = []; }",
        "[BufferedMessageSource] public partial class Order(ref readonly int id, ref readonly string? note, in Guid key) { public int Id { get; } = id; public string? Note { get; } = note; public Guid Key { get; } = key; }",
        "[BufferedMessageSource] public partial class @partial { public int Id; } [BufferedMessageSource] public partial class Order { public @partial? One; public List<@partial>? Many; }",
        "public partial class @partial { [BufferedMessageSource(GenerateWriter = true)] public partial class Order { public Kind Kind; public Order? Next; } public enum Kind; }",
        "namespace Shop.@partial { [BufferedMessageUnion, BufferedCase<Order>(1)] public partial interface IAny; [BufferedMessageSource] public partial struct Order : IAny { public int Id; } }",
        "[BufferedMessageSource] public partial class Order { public IReadOnlyDictionary<string, int> Counts { get; } public Order(IReadOnlyDictionary<string, int> counts) => Counts = counts; public Order(IDictionary<string, int> counts) => Counts = new Dictionary<string, int>(counts); }",
        "[BufferedMessageSource] public partial class Order { public ISet<int> Ids { get; } public Order(ISet<int> ids) => Ids = ids; public Order(IReadOnlySet<int> ids) => Ids = new HashSet<int>(ids); }",
        "[BufferedMessageSource] public partial class Order { public IEnumerable<string> Tags { get; } public Order(IEnumerable<string> tags) => Tags = tags; public Order(ReadOnlySpan<string> tags) => Tags = tags.ToArray(); }",
        "public interface ISized { static abstract int Size { get; } } [BufferedMessageUnion, BufferedCase<Order>(1)] public partial interface IAny : ISized { static int ISized.Size => 1; } [BufferedMessageSource] public partial class Order : IAny { public int Id; }",
        "public partial class Outer { [BufferedMessageUnion, BufferedCase<Order>(1)] private partial interface IAny; public abstract class Middle : IAny; } [BufferedMessageSource] public partial class Order : Outer.Middle { public int Id; }",
        "public partial class Outer { [BufferedMessageUnion, BufferedCase<Order>(1)] protected partial interface IAny; public abstract class Middle : Outer, IAny; } [BufferedMessageSource] public partial class Order : Outer.Middle { public int Id; }",
        "[BufferedMessageUnion, BufferedCase<Order>(1)] public partial interface IAny; [BufferedMessageUnion, BufferedCase<Order>(1)] public abstract partial record Basis; public abstract record Middle : Basis, IAny; [BufferedMessageUnion, BufferedCase<Order>(1)] public abstract partial record Inner : Middle; [BufferedMessageSource] public partial record Order(int Id) : Inner;",
    ];

    [Theory]
    [MemberData(nameof(Sources))]
    public async Task It_compiles_without_a_word(string source)
    {
        foreach (var language in new[] { LanguageVersion.CSharp13, LanguageVersion.Preview })
        {
            var project = SourceProject.Of(source, new ProjectOptions { LanguageVersion = language });

            Assert.Empty(project.Generate().Problems);
            Assert.Empty(await AnalyzerTests.Analyze(project));
        }
    }
}
