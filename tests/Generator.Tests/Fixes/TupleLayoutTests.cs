using System.Globalization;
using BufferedMessages.CodeFixes;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>The layout file has a part for each tuple.</summary>
public sealed class TupleLayoutTests
{
    private const string Layout =
        "message Order\n0 i32 Id\n1 list(message(Order.1)) Lines\n\nmessage Order.1\n0 string Name\n1 message(Order.1.1) Size\n\nmessage Order.1.1\n0 i32 Item1\n1 i32 Item2\n";

    public static TheoryData<string, string, string> Changes => new()
    {
        {
            "public int Id; public List<(string Name, (int, long) Size)>? Lines;", "BMSG0051",
            "The layout of 'Order.LinesTuple.SizeTuple' differs from BufferedMessages.Layout.txt, so programs with the two layouts cannot read each other's messages: '1 i32 Item2' is now '1 i64 Item2'; keep the shipped number and type of each member or case, and add a new one instead of changing one"
        },
        {
            "public int Id; public List<(string Name, int Size)>? Lines;", "BMSG0051",
            "The layout of 'Order.LinesTuple' differs from BufferedMessages.Layout.txt, so programs with the two layouts cannot read each other's messages: '1 message(Order.1.1) Size' is now '1 i32 Size'; keep the shipped number and type of each member or case, and add a new one instead of changing one"
        },
        {
            "public int Id; public List<((int, int) Size, string Name)>? Lines;", "BMSG0051",
            "The layout of 'Order.LinesTuple' differs from BufferedMessages.Layout.txt, so programs with the two layouts cannot read each other's messages: '0 string Name' is now '0 message(Order.1.0) Size', '1 message(Order.1.1) Size' is now '1 string Name'; keep the shipped number and type of each member or case, and add a new one instead of changing one"
        },
        {
            "public int Id; public List<(string Name, (int, int) Size, bool Paid)>? Lines;", "BMSG0050",
            "The layout of 'Order.LinesTuple' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: '2 bool Paid' is missing; add it to the file"
        },
        {
            "public int Id; public List<(string Text, (int, int) Size)>? Lines;", "BMSG0050",
            "The layout of 'Order.LinesTuple' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: '0 string Text' is missing; add it to the file"
        },
        {
            "public List<(string Name, (int, int) Size)>? Lines;", "BMSG0052",
            "'Order' no longer has member 'Id', which BufferedMessages.Layout.txt lists with ordinal 0, so another one would take its place; reserve it with [BufferedReserved(0, ...)] on the type"
        },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public async Task A_change_is_reported_once_for_the_tuple(string members, string rule, string message)
    {
        using var project = Project(members, Layout);

        var problem = Assert.Single(await project.Problems());

        Assert.Equal((rule, message), (problem.Id, problem.GetMessage(CultureInfo.InvariantCulture)));
    }

    [Fact]
    public async Task Two_tuples_that_lose_an_item_are_reported_though_an_item_cannot_be_reserved()
    {
        using var project = Project("public int Id; public (int A, int B) First; public (int A, int B) Second;", "message Order\n0 i32 Id\n1 message(Order.1) First\n2 message(Order.2) Second\n\nmessage Order.1\n0 i32 A\n1 i32 B\n2 i32 C\n\nmessage Order.2\n0 i32 A\n1 i32 B\n2 i32 C\n");

        var problems = await project.Problems();

        Assert.Equal(["BMSG0051", "BMSG0051"], problems.Select(static problem => problem.Id));
        Assert.All(problems, static problem => Assert.Contains("'2 i32 C' is now 'nothing'", problem.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_tuple_that_is_reserved_stays_in_the_file()
    {
        using var project = new FixedProject(
            [new SourceFile("Source.cs", "[BufferedMessageSource, BufferedReserved(1, typeof(List<(string, (int, int))>))] public partial class Order { public int Id; }")],
            "message Order\n0 i32 Id\n1 reserved(list(message(Order.1)))\n\nmessage Order.1\n0 string Item1\n1 message(Order.1.1) Item2\n\nmessage Order.1.1\n0 i32 Item1\n1 i32 Item2\n");

        Assert.Empty(await project.Problems());
    }

    [Theory]
    [InlineData("")]
    [InlineData("message Order\n0 i32 Id\n")]
    [InlineData("message Order\n0 i32 Id\n1 list(message(Order.1)) Lines\n\nmessage Order.1\n0 string Name\n")]
    public async Task Fix_all_writes_the_parts_of_the_tuples(string before)
    {
        using var project = Project("public int Id; public List<(string Name, (int, int) Size)>? Lines;", before);

        await project.FixAll(new AddToLayoutFileCodeFix(), "BMSG0050");

        Assert.Equal(Layout, await project.LayoutText());
        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task A_tuple_that_was_removed_needs_a_person()
    {
        using var project = Project("public int Id;", Layout);

        Assert.Equal("BMSG0052", Assert.Single(await project.Problems()).Id);
        Assert.False(await project.FixFirst(new ReserveMemberCodeFix(), "BMSG0052"));
    }

    private static FixedProject Project(string members, string layout) =>
        new([new SourceFile("Source.cs", $"[BufferedMessageSource] public partial class Order {{ {members} }}")], layout);
}
