using System.Globalization;
using BufferedMessages.CodeFixes;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>The rules of the layout file report changes, and their fixes write the file.</summary>
public sealed class LayoutFileTests
{
    private const string Line = "[BufferedMessageSource] public partial class Line { public string? Sku; }";

    private const string File = "message Line\n0 string Sku\n\nmessage Order\n0 i32 Id\n1 i64 Count\n2 string Note\n3 message(Line) Main\n";

    private const string UnionFile = "message A\n0 i32 Id\n\nmessage B\n0 i32 Id\n\nunion IShape\n1 message(A) A\n2 message(B) B\n";

    public static TheoryData<string, string, string> Changes => new()
    {
        {
            "[BufferedMessageSource] public partial class Order { public int Id; public int Count; public string? Note; public Line? Main; }", "BMSG0051",
            "The layout of 'Order' differs from BufferedMessages.Layout.txt, so programs with the two layouts cannot read each other's messages: '1 i64 Count' is now '1 i32 Count'; keep the shipped number and type of each member or case, and add a new one instead of changing one"
        },
        {
            "[BufferedMessageSource] public partial class Order { public int Id; public string? Note; public long Count; public Line? Main; }", "BMSG0051",
            "The layout of 'Order' differs from BufferedMessages.Layout.txt, so programs with the two layouts cannot read each other's messages: '1 i64 Count' is now '1 string Note', '2 string Note' is now '2 i64 Count'; keep the shipped number and type of each member or case, and add a new one instead of changing one"
        },
        {
            "[BufferedMessageSource] public partial class Order { public int Id; public string? Note; public Line? Main; }", "BMSG0052",
            "'Order' no longer has member 'Count', which BufferedMessages.Layout.txt lists with ordinal 1, so another one would take its place; reserve it with [BufferedReserved(1, ...)] on the type"
        },
        {
            "[BufferedMessageSource] public partial class Order { public int Id; public long Count; public string? Note; public Line? Main; public int More; }", "BMSG0050",
            "The layout of 'Order' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: '4 i32 More' is missing; add it to the file"
        },
        {
            "[BufferedMessageSource] public partial class Order { public int Id; public long Count; public string? Remark; public Line? Main; }", "BMSG0050",
            "The layout of 'Order' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: '2 string Remark' is missing; add it to the file"
        },
        {
            "[BufferedMessageSource, BufferedReserved(1, typeof(long))] public partial class Order { public int Id; public string? Note; public Line? Main; }", "BMSG0050",
            "The layout of 'Order' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: '1 reserved(i64)' is missing; add it to the file"
        },
        {
            "[BufferedMessageSource] public partial class Order { public int Id; public long Count; public string? Note; public Line? Main; } [BufferedMessageSource] public partial class Page { public int Id; }", "BMSG0050",
            "The layout of 'Page' is not in BufferedMessages.Layout.txt, so a later change would go unnoticed: the type is missing; add it to the file"
        },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public async Task A_change_is_reported_once_with_the_lines_that_differ(string source, string rule, string message)
    {
        using var project = Project(source);

        var problem = Assert.Single(await project.Problems());

        Assert.Equal((rule, message), (problem.Id, problem.GetMessage(CultureInfo.InvariantCulture)));
    }

    [Fact]
    public async Task A_file_that_equals_the_code_is_silent_whatever_its_order_and_comments()
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Same)], "# Ours.\n\nmessage Order\n0 i32 Id\n# That many.\n1 i64 Count\n2 string Note\n3 message(Line) Main\n\n\nmessage Line\n0 string Sku\n# End.");

        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task A_packed_struct_is_silent_in_the_file_that_says_so()
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Packed)], "message Order\n0 struct(8/4;0:i64)? Size\n1 dictionary(string,struct(8/4;0:i64)) Sizes\n");

        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task A_struct_that_is_packed_after_it_was_shipped_is_reported()
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Packed)], "message Order\n0 struct(8;0:i64)? Size\n1 dictionary(string,struct(8/4;0:i64)) Sizes\n");

        var problem = Assert.Single(await project.Problems());

        Assert.Equal("BMSG0051", problem.Id);
        Assert.Contains("'0 struct(8;0:i64)? Size' is now '0 struct(8/4;0:i64)? Size'", problem.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fix_all_writes_how_a_struct_is_packed()
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Packed)], "");

        await project.FixAll(new AddToLayoutFileCodeFix(), "BMSG0050");

        Assert.Equal("message Order\n0 struct(8/4;0:i64)? Size\n1 dictionary(string,struct(8/4;0:i64)) Sizes\n", await project.LayoutText());
    }

    [Fact]
    public async Task Without_a_file_there_are_no_such_rules()
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Same)]);

        Assert.Empty(await project.Problems());
    }

    [Theory]
    [InlineData("", "message Line\n0 string Sku\n\nmessage Order\n0 i32 Id\n1 i64 Count\n2 string Note\n3 message(Line) Main\n")]
    [InlineData("# Shipped.\n# See the documents.\n\n", "# Shipped.\n# See the documents.\n\nmessage Line\n0 string Sku\n\nmessage Order\n0 i32 Id\n1 i64 Count\n2 string Note\n3 message(Line) Main\n")]
    [InlineData("# Gone.\nmessage Old\n0 i32 Id\n# An order.\nmessage Order\n0 i32 Id", "message Line\n0 string Sku\n\n# Gone.\nmessage Old\n0 i32 Id\n\n# An order.\nmessage Order\n0 i32 Id\n1 i64 Count\n2 string Note\n3 message(Line) Main\n")]
    [InlineData("message Line\r\n0 string Sku\r\n", "message Line\r\n0 string Sku\r\n\r\nmessage Order\r\n0 i32 Id\r\n1 i64 Count\r\n2 string Note\r\n3 message(Line) Main\r\n")]
    public async Task Fix_all_writes_what_the_file_does_not_have(string before, string after)
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Same)], before);

        await project.FixAll(new AddToLayoutFileCodeFix(), "BMSG0050");

        Assert.Equal(after, await project.LayoutText());
        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task One_fix_writes_one_type()
    {
        using var project = new FixedProject([new SourceFile("Source.cs", Same)], "");

        Assert.True(await project.FixFirst(new AddToLayoutFileCodeFix(), "BMSG0050"));

        Assert.Equal("BMSG0050", Assert.Single(await project.Problems()).Id);
    }

    [Theory]
    [InlineData(
        "[BufferedMessageSource]\npublic partial class Order\n{\n    public int Id;\n    public Line? Main;\n}\n",
        "[BufferedReserved(1, typeof(long))]\n[BufferedReserved(2, typeof(string))]\n[BufferedMessageSource]\npublic partial class Order\n{\n    public int Id;\n    public Line? Main;\n}\n")]
    [InlineData(
        "[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int Id; [BufferedMember(2)] public string? Note; }",
        "[BufferedReserved(1, typeof(long))]\n[BufferedReserved(3, typeof(global::Line))]\n[BufferedMessageSource] public partial class Order { [BufferedMember(0)] public int Id; [BufferedMember(2)] public string? Note; }")]
    public async Task Fix_all_reserves_what_was_removed_and_the_layout_is_as_shipped(string before, string after)
    {
        using var project = Project(before);

        await project.FixAll(new ReserveMemberCodeFix(), "BMSG0052");

        Assert.Equal(after, (await project.TextOf("Source.cs")));
        Assert.All(await project.Problems(), static problem => Assert.Equal("BMSG0050", problem.Id));
        Assert.Empty(await project.Errors());
    }

    [Theory]
    [InlineData("enum(u8)")]
    [InlineData("struct(8;0:i32,4:i32)")]
    [InlineData("struct(8/4;0:i64)")]
    [InlineData("list(message(Shop.Gone))")]
    public async Task Kinds_that_do_not_say_their_type_need_a_person(string kind)
    {
        using var project = new FixedProject([new SourceFile("Source.cs", "[BufferedMessageSource] public partial class Order { public int Id; }")], $"message Order\n0 i32 Id\n1 {kind} Old\n");

        Assert.False(await project.FixFirst(new ReserveMemberCodeFix(), "BMSG0052"));
    }

    [Theory]
    [InlineData("BufferedCase<A>(1), BufferedCase<B>(2)", null, null)]
    [InlineData("BufferedCase<A>(1), BufferedCase<B>(2, Name = \"Renamed\")", "BMSG0050", "'2 message(B) Renamed' is missing")]
    [InlineData("BufferedCase<A>(1), BufferedReserved(2)", "BMSG0050", "'2 reserved' is missing")]
    [InlineData("BufferedCase<A>(1), BufferedCase<B>(2), BufferedReserved(3)", "BMSG0050", "'3 reserved' is missing")]
    [InlineData("BufferedCase<A>(2), BufferedCase<B>(1)", "BMSG0051", "'1 message(A) A' is now '1 message(B) B', '2 message(B) B' is now '2 message(A) A'")]
    [InlineData("BufferedCase<A>(1)", "BMSG0052", "'IShape' no longer has case 'B', which BufferedMessages.Layout.txt lists with number 2, so another one would take its place; reserve it with [BufferedReserved(2)] on the type")]
    public async Task Changes_of_unions_are_reported(string cases, string? rule, string? message)
    {
        using var project = Union(cases, UnionFile);

        var problems = await project.Problems();

        Assert.Equal(rule, problems.SingleOrDefault()?.Id);
        Assert.Contains(message ?? "", problems.SingleOrDefault()?.GetMessage(CultureInfo.InvariantCulture) ?? "", StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_number_of_a_removed_case_is_not_used_again()
    {
        using var project = Union("BufferedCase<A>(1), BufferedCase<B>(2)", UnionFile.Replace("2 message(B) B", "2 reserved", StringComparison.Ordinal));

        Assert.Contains("'2 reserved' is now '2 message(B) B'", Assert.Single(await project.Problems()).GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_ordinal_of_a_removed_member_is_not_used_again()
    {
        using var project = new FixedProject(
            [new SourceFile("Source.cs", "[BufferedMessageSource] public partial class Order { public int Id; public long Size; public string? Note; }")],
            "message Order\n0 i32 Id\n1 reserved(i64)\n2 string Note\n");

        var problem = Assert.Single(await project.Problems());

        Assert.Equal("BMSG0051", problem.Id);
        Assert.Contains("'1 reserved(i64)' is now '1 i64 Size'", problem.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_that_became_a_union_is_reported()
    {
        using var project = Union("BufferedCase<A>(1), BufferedCase<B>(2)", UnionFile.Replace("union IShape", "message IShape", StringComparison.Ordinal));

        Assert.Contains("'message IShape' is now 'union IShape'", Assert.Single(await project.Problems()).GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fix_all_reserves_cases_and_writes_the_layouts_of_unions()
    {
        using var project = Union("BufferedCase<A>(1)", UnionFile);

        await project.FixAll(new ReserveMemberCodeFix(), "BMSG0052");
        await project.FixAll(new AddToLayoutFileCodeFix(), "BMSG0050");

        Assert.StartsWith("[BufferedReserved(2)]\n[BufferedMessageUnion", await project.TextOf("Source.cs"), StringComparison.Ordinal);
        Assert.Equal(UnionFile.Replace("2 message(B) B", "2 reserved", StringComparison.Ordinal), await project.LayoutText());
        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task Of_a_union_that_lost_a_case_before_its_last_one_only_the_removed_case_is_reserved()
    {
        const string Cases = "[BufferedMessageUnion, BufferedCase<A>(1), BufferedCase<C>(3)] public partial interface IShape;";
        const string Types = " [BufferedMessageSource] public partial class A : IShape { public int Id; } [BufferedMessageSource] public partial class B { public int Id; } [BufferedMessageSource] public partial class C : IShape { public int Id; }";
        using var project = new FixedProject(
            [new SourceFile("Source.cs", Cases + Types)],
            UnionFile.Replace("union IShape", "message C\n0 i32 Id\n\nunion IShape", StringComparison.Ordinal) + "3 message(C) C\n");

        await project.FixAll(new ReserveMemberCodeFix(), "BMSG0052");

        Assert.StartsWith("[BufferedReserved(2)]\n" + Cases, await project.TextOf("Source.cs"), StringComparison.Ordinal);
        Assert.Contains("'2 reserved' is missing", Assert.Single(await project.Problems()).GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[BufferedMessageSource] public partial class Order { public int Id; public List<Unknown>? Count; public string? Note; public Line? Main; }")]
    [InlineData("[BufferedMessageSource] public partial class Order { public int Id; public Amount Count; public string? Note; public Line? Main; } public struct Amount { public Size Size; } public struct Size { public int X; public Unknown Y; }")]
    public async Task A_member_whose_type_does_not_exist_is_not_removed(string source)
    {
        using var project = Project(source);

        Assert.Empty(await project.Problems());
    }

    [Theory]
    [InlineData("[BufferedMessageSource] public partial class Order { public int Id; [BufferedMessageConverter(typeof(Unknown))] public Uri? Count; public string? Note; public Line? Main; }")]
    [InlineData("[BufferedMessageSource] public partial class Order { public int Id; public List<Tag>? Count; public string? Note; public Line? Main; } [BufferedMessageConverter(typeof(Unknown))] public class Tag;")]
    public async Task A_member_whose_converter_does_not_exist_is_not_removed(string source)
    {
        using var project = Project(source);

        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task A_member_of_a_base_that_does_not_exist_is_not_removed()
    {
        using var project = Project("[BufferedMessageSource] public partial class Order : Unknown { public string? Note; public Line? Main; }");

        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task A_case_whose_type_does_not_exist_is_not_removed()
    {
        using var project = Union("BufferedCase<A>(1), BufferedCase<Unknown>(2)", UnionFile);

        Assert.Empty(await project.Problems());
    }

    [Fact]
    public async Task A_removed_union_is_reserved_as_a_union()
    {
        using var project = new FixedProject(
            [new SourceFile("Source.cs", "[BufferedMessageSource] public partial class A : IShape { public int Id; } [BufferedMessageUnion, BufferedCase<A>(1)] public partial interface IShape;")],
            "message A\n0 i32 Id\n1 list(union(IShape)) Old\n\nunion IShape\n1 message(A) A\n");

        Assert.True(await project.FixFirst(new ReserveMemberCodeFix(), "BMSG0052"));

        Assert.StartsWith("[BufferedReserved(1, typeof(global::System.Collections.Generic.List<global::IShape>))]", await project.TextOf("Source.cs"), StringComparison.Ordinal);
    }

    private static FixedProject Union(string attributes, string file) => new(
        [new SourceFile("Source.cs", $"[BufferedMessageUnion, {attributes}] public partial interface IShape; [BufferedMessageSource] public partial class A : IShape {{ public int Id; }} [BufferedMessageSource] public partial class B{(attributes.Contains("<B>", StringComparison.Ordinal) ? " : IShape" : "")} {{ public int Id; }}")],
        file);

    private static string Packed =>
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Pack = 4)] public struct Size { public long A; } "
        + "[BufferedMessageSource] public partial class Order { public Size? Size; public Dictionary<string, Size>? Sizes; }";

    private static string Same => "[BufferedMessageSource] public partial class Order { public int Id; public long Count; public string? Note; public Line? Main; } " + Line;

    private static FixedProject Project(string source) => new([new SourceFile("Source.cs", source), new SourceFile("Line.cs", Line)], File);
}
