using BufferedMessages.TestKit;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Tests;

/// <summary>Generated code for every feature compiles without a warning under all project settings.</summary>
public sealed class StrictCompileTests
{
    /// <summary>The compiler reports a base interface that does not comply with the CLS at the user's own part of a union.</summary>
    private const string InterfaceOfUser = "CS3027";

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_with_nullable_references(string feature) => Check(feature, new ProjectOptions());

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_without_nullable_references(string feature) => Check(feature, new ProjectOptions { Nullable = false });

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_with_checked_arithmetic(string feature) => Check(feature, new ProjectOptions { CheckOverflow = true });

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_without_documentation(string feature) => Check(feature, new ProjectOptions { Documentation = false });

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_with_the_newest_language(string feature) => Check(feature, new ProjectOptions { LanguageVersion = LanguageVersion.Preview });

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_with_a_writer_for_every_source(string feature) => Check(feature, new ProjectOptions(), Features.ProjectWithWriters(feature));

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Compiles_in_an_assembly_that_complies_with_the_CLS(string feature)
    {
        var options = new ProjectOptions { ClsCompliant = true };
        Check(feature, options);
        Check(feature, options, Features.ProjectWithWriters(feature, options));
    }

    [Theory]
    [InlineData("string?[]")]
    [InlineData("List<string?>")]
    [InlineData("ImmutableArray<Order?>")]
    [InlineData("List<List<Order?>?>")]
    [InlineData("byte[]?[]")]
    [InlineData("List<byte[]?[]>")]
    [InlineData("Queue<(string? Name, Order Order)>")]
    [InlineData("Dictionary<string, string?>")]
    [InlineData("Dictionary<int, Queue<string?>?>")]
    public void A_writer_takes_a_collection_whose_elements_may_be_null(string type) =>
        Assert.Empty(SourceProject.Of(
            $"[BufferedMessageSource(GenerateWriter = true)] public partial class Order {{ public {type}? Elements {{ get; set; }} }} public static class C {{ public static void Copy(Order order, OrderBufferedMessageWriter writer) => writer.WriteElements(order.Elements{(type[0] == 'I' ? " ?? []" : "")}); }}").Generate().Problems);

    [Fact]
    public void Generates_nothing_below_the_language_that_views_need()
    {
        var project = Features.Project(nameof(Features.Scalars), new ProjectOptions { LanguageVersion = LanguageVersion.CSharp12 });
        Assert.Empty(project.Generate().Files);
    }

    // The features themselves cause some warnings: obsolete, hidden and badly documented members.
    private static void Check(string feature, ProjectOptions options) => Check(feature, options, Features.Project(feature, options));

    private static void Check(string feature, ProjectOptions options, SourceProject project)
    {
        var after = project.Generate().Problems.Where(static problem => problem.Id != InterfaceOfUser).Select(Text).ToHashSet(StringComparer.Ordinal);
        if (after.Count != 0)
        {
            Assert.Subset(Features.Project(feature, options).Compilation.GetDiagnostics().Select(Text).ToHashSet(StringComparer.Ordinal), after);
        }
    }

    private static string Text(Diagnostic problem) => problem.ToString();
}
