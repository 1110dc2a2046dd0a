using BufferedMessages.Generator.Emission;
using BufferedMessages.Generator.Layout;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>Removing a member and reserving its ordinal does not affect the others.</summary>
public sealed class ReservedTests
{
    private const string Before =
        "[BufferedMessageSource] public partial class Order { public byte A; public TYPE B; public short? C; public string? D; public int E; } [BufferedMessageSource] public partial class Line { public int F; }";

    private const string Declared =
        "[BufferedMessageSource, BufferedReserved(1, typeof(TYPE))] public partial class Order { public byte A; public short? C; public string? D; public int E; } [BufferedMessageSource] public partial class Line { public int F; }";

    private const string Numbered =
        "[BufferedMessageSource, BufferedReserved(1, typeof(TYPE))] public partial class Order { [BufferedMember(4)] public int E; [BufferedMember(0)] public byte A; [BufferedMember(3)] public string? D; [BufferedMember(2)] public short? C; } [BufferedMessageSource] public partial class Line { public int F; }";

    public static TheoryData<string> Types => ["int", "int?", "bool?", "Guid", "string", "byte[]", "List<int?>", "Line", "List<Line>", "DayOfWeek", "HashSet<int>", "Dictionary<string, Line>"];

    [Theory]
    [MemberData(nameof(Types))]
    public void Members_after_a_removed_one_do_not_move(string type)
    {
        var before = Places(Before, type).Where(static member => member.Name != "B").ToList();

        Assert.Equal(before, Places(Declared, type));
        Assert.Equal(before, Places(Numbered, type));
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void The_schema_keeps_the_kind(string type)
    {
        var before = SchemaText.LinesOf(Order(Before, type)).ToList();
        before[1] = $"1 reserved({before[1].Split(' ')[1]})";

        Assert.Equal(before, SchemaText.LinesOf(Order(Declared, type)));
        Assert.Equal(before, SchemaText.LinesOf(Order(Numbered, type)));
    }

    [Fact]
    public void Types_that_only_a_removed_member_used_stay_in_the_schema()
    {
        var assembly = Features.Project(nameof(Features.Reserved)).Generate().Load();

        Assert.Equal(
            """
            message Shop.Shipment
            0 u8 First
            1 reserved(i32)
            2 string Third
            3 reserved(list(message(Shop.Leg)))
            4 reserved(guid?)
            5 bool? Sixth
            message Shop.Leg
            0 i32 Units

            """,
            GeneratedSource.Schema(assembly, "Shop.Shipment").Text);
    }

    [Fact]
    public void A_reserved_ordinal_of_a_base_counts_for_derived_types()
    {
        var messages = Parsed.Messages(SourceProject.Of(
            "[BufferedMessageSource, BufferedReserved(1, typeof(int))] public partial class A { public int Id; public int Count; } [BufferedMessageSource] public partial class B : A { public int Size; }").Compilation);

        Assert.Equal(["0 i32 Id", "1 reserved(i32)", "2 i32 Count", "3 i32 Size"], SchemaText.LinesOf(messages[1]));
    }

    [Fact]
    public void The_last_ordinal_may_be_reserved() =>
        Assert.Equal(
            ["0 i32 Id", "1 reserved(string)"],
            SchemaText.LinesOf(Parsed.Message("[BufferedMessageSource, BufferedReserved(1, typeof(string))] public partial class Order { public int Id; }")));

    private static IEnumerable<(string Name, MemberPlace Place)> Places(string source, string type) =>
        EmittedMember.Of(MessagePlan.Of(Order(source, type))).Select(static member => (member.Model.Name, member.Place));

    private static Model.MessageModel Order(string source, string type) =>
        Parsed.Messages(SourceProject.Of(source.Replace("TYPE", type, StringComparison.Ordinal)).Compilation).Single(static message => message.Name == "Order");
}
