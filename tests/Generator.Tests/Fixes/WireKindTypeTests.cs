using BufferedMessages.CodeFixes;
using BufferedMessages.Generator.Layout;
using BufferedMessages.TestKit;

namespace BufferedMessages.Generator.Tests.Fixes;

/// <summary>The C# type that the fix writes for a kind has that kind.</summary>
public sealed class WireKindTypeTests
{
    public static TheoryData<string> Kinds =>
    [
        "bool", "char", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "f16", "f32", "f64", "decimal", "guid",
        "datetime", "datetimeoffset", "timespan", "dateonly", "timeonly", "i32?", "guid?", "string", "binary",
        "list(i32)", "list(u8)", "list(list(string))", "list(timeonly?)", "message(Shop.Outer.Line)", "list(message(Shop.Outer.Line))",
        "set(i32)", "set(string)", "set(guid)", "message(namespace.class)", "dictionary(string,list(i32?))", "dictionary(guid,dictionary(i32,message(Shop.Outer.Line)))",
    ];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_type_of_the_kind_is_written(string kind)
    {
        const string Line = "namespace Shop { class System; } namespace @namespace { [BufferedMessageSource] public partial class @class { public int Id; } } namespace Shop { public partial class Outer { [BufferedMessageSource] public partial class Line { public int Id; } } }";
        var type = WireKindType.Of(kind, SourceProject.Of(Line).Compilation);

        var order = Parsed.Messages(SourceProject.Of($"{Line} namespace Shop {{ [BufferedMessageSource, BufferedReserved(0, typeof({type}))] public partial class Order {{ public int Id; }} }}").Compilation)
            .Single(static message => message.Name == "Order");

        Assert.Equal($"0 reserved({kind})", SchemaText.LinesOf(order).First());
    }

    [Theory]
    [InlineData("dictionary(enum(u8),i32)")]
    [InlineData("message(Gone)")]
    [InlineData("struct(4;0:i32)?")]
    [InlineData("struct(8/4;0:i64)")]
    [InlineData("dictionary(string,struct(8/4;0:i64))")]
    [InlineData("unknown")]
    public void Kinds_that_do_not_say_their_type_have_none(string kind) =>
        Assert.Null(WireKindType.Of(kind, SourceProject.Of("").Compilation));
}
