using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>The rule for comparisons that allocate: each method body breaks it at the mark, or has no mark and keeps it.</summary>
public sealed class ComparisonAnalyzerTests
{
    private const string Head =
        """
        [BufferedMessageSource] public partial class Order { public string? Note { get; set; } public int Id { get; set; } }

        internal static class Program
        {
            internal static string? Run(OrderBufferedMessage order, string? text) =>

        """;

    private const string Tail = " ? text : null; }";

    public static TheoryData<string> Broken =>
    [
        "[|order.Note.ToString() == \"rush\"|]",
        "[|text != order.Note.ToString()|]",
        "[|order.Note.ToString() == null|]",
        "[|string.Equals(order.Note, text)|]",
        "[|\"rush\".Equals(order.Note)|]",
    ];

    public static TheoryData<string> Fine =>
    [
        "(object?)order.Note.ToString() == (object?)text",
        "order.Note == \"rush\" || order.Note == text || order.Note == \"rush\"u8",
        "string.Equals(order.Note, text, StringComparison.OrdinalIgnoreCase)",
        "order.Id.ToString(System.Globalization.CultureInfo.InvariantCulture) == text",
    ];

    [Theory]
    [MemberData(nameof(Broken))]
    public Task A_broken_rule_is_reported_once_where_it_is_broken(string condition) =>
        AnalyzerTests.RequireOne(
            "BMSG0064",
            Head + condition + Tail,
            "A string is created from 'order.Note' only for a comparison; compare the view's string itself, which does not allocate");

    [Fact]
    public Task An_expression_of_several_lines_is_quoted_in_one() =>
        AnalyzerTests.RequireOne(
            "BMSG0064",
            Head + "[|order\n    .Note.ToString() == \"rush\"|]" + Tail,
            "A string is created from 'order .Note' only for a comparison; compare the view's string itself, which does not allocate");

    [Theory]
    [MemberData(nameof(Fine))]
    public async Task Right_use_is_not_reported(string condition)
    {
        var project = SourceProject.Of(Head + condition + Tail);

        Assert.Empty(await AnalyzerTests.Analyze(project));
        Assert.DoesNotContain(project.Generate().Compilation.GetDiagnostics(), static problem => problem.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error);
    }
}
