using System.Collections.Immutable;
using System.Globalization;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BufferedMessages.Generator.Tests;

/// <summary>
/// Each rule fires at the right place, with the problem, the reason and the remedy, and is silent otherwise. The place is marked in the source by
/// <c>[|</c> and <c>|]</c>.
/// </summary>
public sealed partial class AnalyzerTests
{
    private static readonly ImmutableArray<DiagnosticAnalyzer> Analyzers = [.. typeof(Rules).Assembly.GetTypes()
        .Where(static type => !type.IsAbstract && type.IsSubclassOf(typeof(DiagnosticAnalyzer)))
        .Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!)];

    [Theory]
    [MemberData(nameof(Broken))]
    public Task A_broken_rule_is_reported_once_where_it_is_broken(string rule, string markedSource, string message) => RequireOne(rule, markedSource, message);

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public async Task A_feature_breaks_no_rule(string feature)
    {
        var problems = await Analyze(Features.Project(feature));

        Assert.Equal(feature is nameof(Features.Empty) ? ["BMSG0007"] : [], problems.Select(static problem => problem.Id));
    }

    [Fact]
    public async Task A_language_without_what_views_need_is_reported_for_each_source()
    {
        var project = SourceProject.Of("[BufferedMessageSource] public partial class Order { public int Id; }", new ProjectOptions { LanguageVersion = Microsoft.CodeAnalysis.CSharp.LanguageVersion.CSharp12 });

        Assert.Equal(
            "No message code is generated for 'Order', because views need C# 13 and this project is compiled as C# 12.0; set LangVersion to 13 or later, or remove it",
            Assert.Single(await Analyze(project)).GetMessage(CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task Two_views_of_the_same_name_are_reported()
    {
        var problems = await Analyze(SourceProject.Of(
            "[BufferedMessageSource(ViewName = \"View\")] public partial class A { public int Id; } [BufferedMessageSource(ViewName = \"View\")] public partial class B { public int Id; }"));

        Assert.Equal(["BMSG0006", "BMSG0006"], problems.Select(static problem => problem.Id));
    }

    [Fact]
    public async Task A_wrong_member_of_a_base_is_reported_by_the_base_only()
    {
        var problems = await Analyze(SourceProject.Of(
            "[BufferedMessageSource] public partial class A { public int Id; public object? Tag { get; set; } } [BufferedMessageSource] public partial class B : A { public int Count; }"));

        Assert.Equal("'A.Tag'", Assert.Single(problems).GetMessage(CultureInfo.InvariantCulture)[..7]);
    }

    [Fact]
    public async Task A_wrong_member_leaves_no_gap_in_the_ordinals()
    {
        var project = SourceProject.Of(
            "[BufferedMessageSource] public partial class A { [BufferedMember(0)] public int Id; [BufferedMember(1)] public object? Tag; [BufferedMember(2)] public int Count; }");

        Assert.Equal("BMSG0020", Assert.Single(await Analyze(project)).Id);
        Assert.Empty(project.Generate().Problems);
    }

    [Fact]
    public async Task A_member_may_have_the_name_of_a_method_that_a_writer_does_not_have()
    {
        var project = SourceProject.Of(
            "[BufferedMessageSource(GenerateWriter = true)] public partial class Order { public int Count; public bool WriteCount { get; set; } [BufferedIgnore] public string? Note; public int? WriteNote; }");

        Assert.Empty(await Analyze(project));
        Assert.Empty(project.Generate().Problems);
        Assert.Equal(["Count", "WriteCount", "WriteNote"], Parsed.Messages(project.Compilation).Single().Members.Select(static member => member.Name));
    }

    [Theory]
    [InlineData("Order { public Missing? Line { get; set; } }")]
    [InlineData("Order : Missing;")]
    public async Task A_source_whose_members_are_not_known_yet_is_not_told_that_it_has_none(string declaration) =>
        Assert.Empty(await Analyze(SourceProject.Of("[BufferedMessageSource] public partial class " + declaration)));

    [Fact]
    public async Task A_type_without_the_attribute_is_left_alone() =>
        Assert.Empty(await Analyze(SourceProject.Of("public class Order { public object? Tag { get; set; } }")));

    [Fact]
    public async Task A_pragma_suppresses_a_rule() =>
        Assert.Empty(await Analyze(SourceProject.Of(
            """
            #pragma warning disable BMSG0020
            [BufferedMessageSource] public partial class Order { public int Id; public object? Tag { get; set; } }
            """)));

    [Fact]
    public async Task A_setting_that_suppresses_one_rule_leaves_the_others_of_its_analyzer()
    {
        var compilation = SourceProject.Of("[BufferedMessageSource] public partial class Order { public object? Tag { get; set; } public int Count { set { } } }").Generate().Compilation;
        var options = compilation.Options.WithSpecificDiagnosticOptions(ImmutableDictionary<string, ReportDiagnostic>.Empty.Add("BMSG0020", ReportDiagnostic.Suppress));

        var problems = await Analyze(compilation.WithOptions(options), layoutFile: null, new SourceAnalyzer());

        Assert.Equal(["BMSG0007", "BMSG0024"], problems.Select(static problem => problem.Id).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_failure_of_the_generator_is_reported_for_the_type()
    {
        var analyzer = new SourceAnalyzer(static (source, _) => source.Name == "Order" ? new InvalidOperationException("it is Monday") : null);

        var problems = await Analyze(Features.Project(nameof(Features.Messages)), analyzer);

        Assert.Equal(
            "No message code is generated for 'Order', because the generator failed: it is Monday; please report it with the type's declaration",
            Assert.Single(problems).GetMessage(CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("partial record Order(int Id, string")]
    [InlineData("partial record Order(int Id, string );")]
    [InlineData("partial class Order { public int Id { get; set; } public string { get; set; } }")]
    public async Task A_declaration_that_is_being_typed_does_not_make_the_generator_fail(string declaration)
    {
        var project = SourceProject.Of("[BufferedMessageSource] public " + declaration);

        Assert.DoesNotContain(await Analyze(project), static problem => problem.Id == "BMSG9001");
        Assert.Contains("public int Id =>", Assert.Single(project.Generate().Files).Value, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_block_that_is_too_large_costs_the_file_of_its_type_and_is_reported()
    {
        var structs = string.Concat(Enumerable.Range(0, 9).Select(static i => $" public Big B{i};"));
        var project = SourceProject.Of(
            "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Size = 65000)] public struct Big { public byte A; }"
            + "[BufferedMessageSource] public partial class Fits { public int A; } [BufferedMessageSource] public partial class TooBig {" + structs + " }");

        Assert.Equal(["Fits.g.cs"], project.Generate().Files.Keys);
        Assert.Equal("BMSG9001", Assert.Single(await Analyze(project)).Id);
    }

    /// <summary>Requires that exactly one problem is found: the rule's, at the marked place.</summary>
    internal static async Task RequireOne(string rule, string markedSource, string message)
    {
        var source = markedSource.Replace("[|", "", StringComparison.Ordinal).Replace("|]", "", StringComparison.Ordinal);

        var problem = Assert.Single(await Analyze(SourceProject.Of(source)));

        Assert.Equal(rule, problem.Id);
        Assert.Equal(message, problem.GetMessage(CultureInfo.InvariantCulture));
        Assert.Equal(markedSource.IndexOf("[|", StringComparison.Ordinal), problem.Location.SourceSpan.Start);
        Assert.Equal(markedSource.IndexOf("|]", StringComparison.Ordinal) - 2, problem.Location.SourceSpan.End);
    }

    /// <summary>Gets the diagnostics for a project after the generator ran: of all analyzers, or of the given ones.</summary>
    internal static Task<ImmutableArray<Diagnostic>> Analyze(SourceProject project, params DiagnosticAnalyzer[] analyzers) =>
        Analyze(project.Generate().Compilation, layoutFile: null, analyzers);

    /// <summary>Gets the diagnostics for a compilation that includes the generated files.</summary>
    internal static Task<ImmutableArray<Diagnostic>> Analyze(Compilation compilation, string? layoutFile, params DiagnosticAnalyzer[] analyzers) =>
        compilation
            .WithAnalyzers(analyzers.Length == 0 ? Analyzers : [.. analyzers], new AnalyzerOptions(layoutFile is null ? [] : [new LayoutText(layoutFile)]))
            .GetAnalyzerDiagnosticsAsync();
}
