using System.Globalization;
using BufferedMessages.Generator.Emission;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Models depend on what is declared, and on nothing else.</summary>
public sealed class ModelTests
{
    private const string FirstPart =
        """
        namespace Shop;

        [BufferedMessageSource]
        public partial class Order
        {
            public int Id { get; set; }
            public string? Note { get; set; }
        }
        """;

    private const string SecondPart =
        """
        namespace Shop;

        public partial class Order
        {
            public long Total { get; set; }
            public bool Paid;
        }
        """;

    [Theory]
    [MemberData(nameof(Features.Names), MemberType = typeof(Features))]
    public void Equal_sources_give_equal_models(string feature) =>
        Assert.Equal(Parsed.Sources(Features.Project(feature).Compilation), Parsed.Sources(Features.Project(feature).Compilation));

    [Fact]
    public void A_change_of_a_member_changes_the_model() =>
        Assert.NotEqual(Parsed.Message(FirstPart), Parsed.Message(FirstPart.Replace("int Id", "long Id", StringComparison.Ordinal)));

    [Fact]
    public void The_order_of_the_files_does_not_matter()
    {
        SourceFile[] files = [new("a/Order.cs", FirstPart), new("a/Order.Total.cs", SecondPart)];
        var model = Assert.Single(Parsed.Sources(SourceProject.Of(files).Compilation));

        Assert.Equal(model, Assert.Single(Parsed.Sources(SourceProject.Of(files.Reverse()).Compilation)));
        Assert.Equal(["Total", "Paid", "Id", "Note"], model.Message.Members.Select(static member => member.Name));
    }

    [Theory]
    [InlineData("fi-FI")]
    [InlineData("tr-TR")]
    [InlineData("ar-SA")]
    public void The_culture_does_not_matter(string culture)
    {
        var expected = Emit();
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
            Assert.Equal(expected, Emit());
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }

        static List<EmittedFile> Emit() =>
            [.. Features.All.SelectMany(static feature => Parsed.Sources(Features.Project(feature).Compilation)).Select(static model => MessageEmitter.Emit(SourcePlan.Of(model)))];
    }

    [Fact]
    public void Names_of_files_differ_for_types_that_differ_in_case_or_nesting_only()
    {
        var files = SourceProject.Of(
            """
            namespace Shop { [BufferedMessageSource] public partial class Order { public int A; } [BufferedMessageSource] public partial class ORDER { public int A; } }
            namespace shop { [BufferedMessageSource] public partial class Order { public int A; } }
            namespace Shop { public partial class Outer { [BufferedMessageSource] public partial class Order { public int A; } } }
            """).Generate();

        Assert.Equal(4, files.Files.Keys.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.DoesNotContain(files.Problems, static problem => problem.Id != "CS8981");
    }

    [Fact]
    public void Ordinals_of_members_give_their_order() =>
        Assert.Equal(
            ["First", "Second", "Third"],
            Parsed.Messages(Features.Project(nameof(Features.Ordinals)).Compilation).Single().Members.Select(static member => member.Name));

    [Fact]
    public void A_wrong_member_is_skipped_and_the_rest_is_there()
    {
        var project = SourceProject.Of(
            "[BufferedMessageSource] public partial class Order { public object? Tag { get; set; } public int Id { get; set; } }").Generate();

        Assert.Contains("public int Id =>", Assert.Single(project.Files).Value, StringComparison.Ordinal);
        Assert.Empty(project.Problems);
    }
}
