using BufferedMessages.Generator.Analysis;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Tests;

/// <summary>A mistake in a base is reported once, however many sources derive from it.</summary>
public sealed class ToldOnceTests
{
    private const string TwoSources = "[BufferedMessageSource] public partial class Order : Basis { [BufferedMember(2)] public int Id; } [BufferedMessageSource] public partial class Other : Basis { [BufferedMember(2)] public int Id; }";
    private const string Derived = "[BufferedMessageSource] public partial class Order : Basis { [BufferedMember(2)] public int Id; }";

    [Theory]
    [InlineData("BMSG0020", "public class Basis { [BufferedMember(0)] public int A; [BufferedMember(1)] public object? Tag { get; set; } }" + TwoSources)]
    [InlineData("BMSG0020", "[BufferedMessageSource] public partial class Basis { [BufferedMember(0)] public int A; [BufferedMember(1)] public object? Tag { get; set; } }" + TwoSources)]
    [InlineData("BMSG0021", "public class Line; public class Basis { [BufferedMember(0)] public int A; [BufferedMember(1)] public Line? Line { get; set; } }" + TwoSources)]
    [InlineData("BMSG0022", "public class Basis { [BufferedMember(0)] public int A; [BufferedMember(1)] public nint Handle { get; set; } }" + TwoSources)]
    [InlineData("BMSG0024", "public class Basis { [BufferedMember(0)] public int A; [BufferedMember(1)] public int Count { set { } } }" + TwoSources)]
    [InlineData("BMSG0025", "public class Basis { [BufferedMember(0)] public int A; [BufferedMember(0)] public int B; }" + TwoSources)]
    [InlineData("BMSG0025", "[BufferedMessageSource] public partial class Basis { [BufferedMember(0)] public int A; [BufferedMember(0)] public int B; }" + Derived)]
    [InlineData("BMSG0026", "[BufferedMessageSource] public partial class Basis { [BufferedMember(0)] public int A; public int B; }" + Derived)]
    [InlineData("BMSG0027", "[BufferedMessageSource] public partial class Basis { [BufferedMember(0)] public int A; [BufferedMember(7)] public int B; }" + Derived)]
    [InlineData("BMSG0027", "[BufferedMessageSource, BufferedReserved(1, typeof(object))] public partial class Basis { [BufferedMember(0)] public int A; }" + Derived)]
    [InlineData("BMSG0028", "public class Basis { [BufferedMember(0)] public int A; [BufferedMember(1)] public HashSet<double>? Set { get; set; } }" + TwoSources)]
    public async Task A_mistake_in_a_base_is_told_once(string rule, string source) =>
        Assert.Equal([rule], (await AnalyzerTests.Analyze(SourceProject.Of(source))).Select(static problem => problem.Id));

    [Fact]
    public async Task A_mistake_is_told_again_to_an_editor_that_asks_again()
    {
        var analysis = SourceProject.Of("[BufferedMessageSource] public partial class Order { public int Id; public object? Tag { get; set; } }").Generate().Compilation.WithAnalyzers([new SourceAnalyzer()]);
        var file = analysis.Compilation.SyntaxTrees.First();
        var model = analysis.Compilation.GetSemanticModel(file);

        await analysis.GetAnalyzerSemanticDiagnosticsAsync(model, (await file.GetRootAsync()).Span, CancellationToken.None);
        var problems = await analysis.GetAnalyzerSemanticDiagnosticsAsync(model, filterSpan: null, CancellationToken.None);

        Assert.Equal("BMSG0020", Assert.Single(problems).Id);
    }

    [Fact]
    public async Task A_member_of_a_base_without_an_ordinal_is_told_where_a_derived_source_has_them() =>
        await AnalyzerTests.RequireOne(
            "BMSG0026",
            "[BufferedMessageSource] public partial class Basis { public int [|A|]; } [BufferedMessageSource] public partial class Order : Basis { [BufferedMember(1)] public int Id; }",
            "'Basis.A' has no [BufferedMember], but other members do, so the layout is undefined; number all members or none");
}
