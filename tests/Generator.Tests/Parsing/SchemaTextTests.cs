using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Parsing;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests;

/// <summary>The schema text that generated code gives to the runtime.</summary>
public sealed class SchemaTextTests
{
    [Fact]
    public void Every_kind_has_its_name()
    {
        var members = Parsed.Message(
            """
            public enum Wide : ulong;
            public struct Inner { public byte A; public Guid B; }
            public struct Outer { public short X; public Inner Y; public Wide Z; }

            [BufferedMessageSource]
            public partial class All
            {
                public bool A1; public sbyte A2; public byte A3; public short A4; public ushort A5; public int A6; public uint A7; public long A8; public ulong A9;
                public Int128 B1; public UInt128 B2; public char B3; public Half B4; public float B5; public double B6; public decimal B7; public Guid B8;
                public DateTime C1; public DateTimeOffset C2; public TimeSpan C3; public DateOnly C4; public TimeOnly C5;
                public int? D1; public Wide D2; public Wide? D3; public Outer D4; public Outer? D5;
                public string? E1; public byte[]? E2; public All? E3; public int[]? E4; public List<int?>? E5; public List<List<All>>? E6; public List<byte>? E7;
                public Dictionary<string, List<All?>>? F1; public HashSet<Wide>? F2; public List<Dictionary<int, int?>>? F3;
            }
            """).Members;

        Assert.Equal(
            [
                "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64",
                "i128", "u128", "char", "f16", "f32", "f64", "decimal", "guid",
                "datetime", "datetimeoffset", "timespan", "dateonly", "timeonly",
                "i32?", "enum(u64)", "enum(u64)?", "struct(32;0:i16,4:u8,8:guid,24:enum(u64))", "struct(32;0:i16,4:u8,8:guid,24:enum(u64))?",
                "string", "binary", "message(All)", "list(i32)", "list(i32?)", "list(list(message(All)))", "list(u8)",
                "dictionary(string,list(message(All)))", "set(enum(u64))", "list(dictionary(i32,i32?))",
            ],
            members.Select(static member => SchemaText.KindOf(member.Kind)));
    }

    [Fact]
    public void A_message_that_is_the_value_of_a_dictionary_is_a_reference()
    {
        var order = Parsed.Messages(SourceProject.Of(
            """
            [BufferedMessageSource] public partial class Line { public int X; }
            [BufferedMessageSource] public partial class A { public Dictionary<int, List<Dictionary<string, Line>>>? Lines; }
            """).Compilation)[0];

        Assert.Equal("Line", Assert.Single(SchemaText.References(order)).Schema);
    }

    [Fact]
    public void Structs_of_the_same_fields_that_are_aligned_differently_are_told_apart()
    {
        var members = Parsed.Message(
            """
            [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Pack = 4)] public struct Packed { public long A; }
            public struct Loose { public long A; }

            [BufferedMessageSource]
            public partial class Both { public Packed P; public Loose L; }
            """).Members;

        Assert.Equal(["struct(8/4;0:i64)", "struct(8;0:i64)"], members.Select(static member => SchemaText.KindOf(member.Kind)));
    }

    [Fact]
    public void A_union_is_a_kind_and_has_a_line_for_each_number()
    {
        var compilation = SourceProject.Of(
            """
            [BufferedMessageUnion, BufferedReserved(2), BufferedCase<Circle>(3, Name = "Round"), BufferedCase<Square>(1)] public partial interface IShape;
            [BufferedMessageSource] public partial class Circle : IShape { public int X; }
            [BufferedMessageSource] public partial class Square : IShape { public Dictionary<int, List<IShape>>? Parts; }
            """).Compilation;
        var union = UnionParser.Parse(compilation.GetTypeByMetadataName("IShape")!, compilation, sink: null)!;
        var square = Parsed.Messages(compilation)[1];

        Assert.Equal(["1 message(Square) Square", "2 reserved", "3 message(Circle) Round"], SchemaText.LinesOf(union));
        Assert.Equal(["0 dictionary(i32,list(union(IShape))) Parts"], SchemaText.LinesOf(square));
        Assert.Equal("IShape", Assert.Single(SchemaText.References(square)).Schema);
    }

    [Fact]
    public void A_tuple_is_a_message_that_is_called_by_the_ordinals_on_the_way_to_it()
    {
        var assembly = SourceProject.Of(
            """
            namespace Shop;
            [BufferedMessageSource, BufferedReserved(1, typeof((int, string)))]
            public partial class Order
            {
                public int Id;
                public List<(string Name, (int, int)? Size)>? Lines;
                public Dictionary<int, KeyValuePair<string, (Order, bool)>>? Pairs;
                public (int, int) Last;
            }
            """).Generate().Load();

        Assert.Equal(
            """
            message Shop.Order
            0 i32 Id
            1 reserved(message(Shop.Order.1))
            2 list(message(Shop.Order.2)) Lines
            3 dictionary(i32,message(Shop.Order.3)) Pairs
            4 message(Shop.Order.4) Last
            message Shop.Order.1
            0 i32 Item1
            1 string Item2
            message Shop.Order.2
            0 string Name
            1 message(Shop.Order.2.1) Size
            message Shop.Order.3
            0 string Key
            1 message(Shop.Order.3.1) Value
            message Shop.Order.4
            0 i32 Item1
            1 i32 Item2
            message Shop.Order.2.1
            0 i32 Item1
            1 i32 Item2
            message Shop.Order.3.1
            0 message(Shop.Order) Item1
            1 bool Item2

            """,
            GeneratedSource.Schema(assembly, "Shop.Order").Text);
    }

    [Fact]
    public void The_runtime_composes_the_texts_of_all_types_in_the_order_of_first_use()
    {
        var assembly = Features.Project(nameof(Features.Messages)).Generate().Load();

        Assert.Equal(
            """
            message Shop.Order
            0 message(Shop.Line) Main
            1 message(Shop.Point) Origin
            2 message(Shop.Point) Target
            3 list(message(Shop.Line)) Lines
            4 list(message(Shop.Point)) Points
            5 list(message(Shop.Point)) MaybePoints
            6 message(Shop.Order) Parent
            message Shop.Line
            0 string Sku
            message Shop.Point
            0 i32 X
            1 i32 Y

            """,
            GeneratedSource.Schema(assembly, "Shop.Order").Text);
    }
}
