using System.Text;
using BufferedMessages.Runtime.Tests.Wire;
using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Messages;

public class MessageSchemaTests
{
    private const string Order = "message Order\n0 guid Id\n1 string Note\n2 list(message(Line)) Lines\nmessage Line\n0 i32 Count\n1 decimal Price\n";

    private const string Shape = "union S\n1 message(C) C\n2 message(P) P\nmessage C\n0 f64 R\nmessage P\n0 i32 N\n1 union(S) Next\n";

    [Fact]
    public void Text_lists_the_types_in_the_order_of_first_use()
    {
        var leaf = new MessageSchema("Leaf", "0 i32 X\n", static () => []);
        var left = new MessageSchema("Left", "0 message(Leaf) Leaf\n", () => [leaf]);
        var right = new MessageSchema("Right", "0 message(Leaf) Leaf\n", () => [leaf]);
        var root = new MessageSchema("Root", "0 message(Left) L\n1 message(Right) R\n", () => [left, right]);
        Assert.Equal(
            "message Root\n0 message(Left) L\n1 message(Right) R\nmessage Left\n0 message(Leaf) Leaf\nmessage Right\n0 message(Leaf) Leaf\nmessage Leaf\n0 i32 X\n",
            root.Text);
    }

    [Fact]
    public void A_type_that_contains_itself_is_listed_once()
    {
        MessageSchema? node = null;
        node = new MessageSchema("Node", "0 message(Node) Next\n", () => [node!]);
        Assert.Equal("message Node\n0 message(Node) Next\n", node.Text);
    }

    // Such as the types of a file that two projects compile: each assembly has its own.
    [Fact]
    public void A_type_that_two_assemblies_have_is_listed_once()
    {
        var leaf = new MessageSchema("Leaf", "0 enum(u8) X\n#enum Open=0\n", static () => []);
        var branch = new MessageSchema("Branch", "0 message(Leaf) Leaf\n", () => [leaf]);
        var otherLeaf = new MessageSchema("Leaf", "0 enum(u8) X\n#enum Open=0 Closed=1\n", static () => []);
        var otherBranch = new MessageSchema("Branch", "0 message(Leaf) Leaf\n", () => [otherLeaf]);
        var holder = new MessageSchema("Holder", "0 message(Branch) B\n", () => [otherBranch]);
        var root = new MessageSchema("Root", "0 message(Branch) B\n1 message(Holder) H\n", () => [branch, holder]);

        Assert.Equal(
            "message Root\n0 message(Branch) B\n1 message(Holder) H\nmessage Branch\n0 message(Leaf) Leaf\nmessage Holder\n0 message(Branch) B\nmessage Leaf\n0 enum(u8) X\n#enum Open=0\n",
            root.Text);
        Assert.Equal(root.Text, MessageSchema.Parse(root.Text).Text);
    }

    [Fact]
    public void Two_types_of_one_name_with_other_members_are_refused()
    {
        var leaf = new MessageSchema("Leaf", "0 i32 X\n", static () => []);
        var branch = new MessageSchema("Branch", "0 message(Leaf) Leaf\n", () => [leaf]);
        var otherLeaf = new MessageSchema("Leaf", "0 i64 X\n", static () => []);
        var otherBranch = new MessageSchema("Branch", "0 message(Leaf) Leaf\n", () => [otherLeaf]);
        var root = new MessageSchema("Root", "0 message(Branch) B\n1 message(Branch) C\n", () => [branch, otherBranch]);

        Assert.Contains("'Leaf'", Assert.Throws<NotSupportedException>(() => root.Text).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Fingerprint_is_the_hash_of_the_text()
    {
        var schema = new MessageSchema("Größe", "0 i32 X\n", static () => []);
        Assert.Equal(XxHash64.Hash(Encoding.UTF8.GetBytes(schema.Text)), schema.Fingerprint);
    }

    [Fact]
    public void Source_and_view_have_the_same_schema() =>
        Assert.Same(SchemaOfSource<Person>(), SchemaOfView<PersonBufferedMessage>());

    [Theory]
    [InlineData(Order)]
    [InlineData("message Renamed\n0 guid Key\n1 string Text\n2 list(message(Row)) Rows\nmessage Row\n0 i32 N\n1 decimal P\n")]
    [InlineData("message Order\n0 guid Id\n1 string Note\n2 list(message(Line)) Lines\n3 bool New\nmessage Line\n0 i32 Count\n1 decimal Price\n2 string Sku\n")]
    [InlineData("message Order\n0 guid Id\n")]
    [InlineData("message Order\n0 reserved(guid)\n1 string Note\n2 list(message(Line)) Lines\nmessage Line\n0 reserved(i32)\n")]
    public void Renamed_added_and_reserved_members_are_compatible(string other)
    {
        SchemaComparison.RequireCompatible(Order, other);
        SchemaComparison.RequireCompatible(other, Order);
    }

    [Theory]
    [InlineData("message Order\n0 i32 Id\n", "0 guid Id", "0 i32 Id")]
    [InlineData("message Order\n0 guid? Id\n", "0 guid Id", "0 guid? Id")]
    [InlineData("message Order\n0 reserved(i64)\n", "0 guid Id", "0 reserved(i64)")]
    [InlineData("message Order\n0 guid Id\n1 binary Note\n", "1 string Note", "1 binary Note")]
    [InlineData("message Order\n0 guid Id\n1 string Note\n2 message(Line) Line\nmessage Line\n", "2 list(message(Line)) Lines", "2 message(Line) Line")]
    [InlineData("message Order\n0 guid Id\n1 string Note\n2 list(message(Row)) Rows\nmessage Row\n0 i64 Count\n", "0 i32 Count", "0 i64 Count")]
    [InlineData("message Order\n0 guid Id\n1 string Note\n2 list(message(Row)) Rows\n", "message Line", "message Row")]
    public void A_changed_kind_is_refused_with_both_lines(string other, string line, string otherLine)
    {
        var mismatch = Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Order, other));
        Assert.Equal((line, otherLine), (mismatch.Line, mismatch.OtherLine));
        Assert.Contains(line, mismatch.Message, StringComparison.Ordinal);
        Assert.Contains(otherLine, mismatch.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("union S\n1 message(C) C\nmessage C\n0 f64 R\n")]
    [InlineData("union S\n1 message(C) C\n2 message(P) P\n3 message(N) N\nmessage C\n0 f64 R\nmessage P\n0 i32 N\nmessage N\n")]
    [InlineData("union T\n1 reserved\n2 message(Q) Other\nmessage Q\n0 i32 N\n1 union(T) Next\n")]
    [InlineData("union S\n1 message(C) C\n2 message(P) P\nmessage C\n0 f64 R\n1 string New\nmessage P\n0 i32 N\n")]
    public void Added_reserved_and_renamed_cases_are_compatible(string other)
    {
        SchemaComparison.RequireCompatible(Shape, other);
        SchemaComparison.RequireCompatible(other, Shape);
    }

    [Theory]
    [InlineData("union S\n1 message(P) P\n2 message(C) C\nmessage P\n0 i32 N\n1 union(S) Next\nmessage C\n0 f64 R\n", "0 f64 R", "0 i32 N")]
    [InlineData("union S\n1 message(C) C\n2 message(P) P\nmessage C\n0 f64 R\nmessage P\n0 i32 N\n1 message(S) Next\n", "1 union(S) Next", "1 message(S) Next")]
    [InlineData("message S\n0 i32 N\n", "union S", "message S")]
    [InlineData("union S\n1 message(C) C\n2 message(P) P\nmessage C\n0 f64 R\n", "message P", "message P")]
    public void Changed_cases_are_refused_with_both_lines(string other, string line, string otherLine)
    {
        var mismatch = Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Shape, other));
        Assert.Equal((line, otherLine), (mismatch.Line, mismatch.OtherLine));
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(other, Shape));
    }

    [Fact]
    public void A_schema_with_more_cases_says_so()
    {
        const string More = "union S\n1 message(C) C\n2 message(P) P\n3 message(C) D\nmessage C\n0 f64 R\nmessage P\n0 i32 N\n1 union(S) Next\n";
        Assert.True(SchemaComparison.RequireCompatible(More, Shape));
        Assert.False(SchemaComparison.RequireCompatible(Shape, More));
    }

    [Fact]
    public void Unions_in_collections_are_compared()
    {
        const string Kinds = "message A\n0 dictionary(string,list(union(S))) X\n" + Shape;
        SchemaComparison.RequireCompatible(Kinds, Kinds.Replace("(S)", "(T)", StringComparison.Ordinal).Replace("union S", "union T", StringComparison.Ordinal));
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Kinds, Kinds.Replace("f64", "f32", StringComparison.Ordinal)));
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Kinds, Kinds.Replace("list(union(S))", "set(union(S))", StringComparison.Ordinal)));
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Kinds, Kinds.Replace("list(union(S))", "list(string)", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("no schema at all")]
    [InlineData("message Order\n0\n")]
    [InlineData("message Order\n0 reserved(\n")]
    [InlineData("message Order\n0 guid Id\n1 string Note\n2 list(message( Lines\n")]
    public void A_damaged_text_is_refused(string other)
    {
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Order, other));
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(other, Order));
    }

    [Theory]
    [InlineData("message Order\n0 guid Id\n2 list(message(Line)) Lines\nmessage Line\n0 i32 Count\n1 decimal Price\n", "2 list(message(Line)) Lines")]
    [InlineData("message Order\n0 guid Id\n0 guid Id\n1 string Note\n", "0 guid Id")]
    [InlineData("message Order\n1 guid Id\n", "1 guid Id")]
    [InlineData("message Order\n0 guid Id\n\nmessage Order\n0 guid Id\n1 string Note\n", "")]
    [InlineData("message Order\n0 guid Id\nmessage Order\n0 guid Id\n1 string Note\n", "message Order")]
    [InlineData("message Order\n0 guid Id\n1 string Note\n2 list(message(Line)) Lines\nmessage Line\n1 decimal Price\n", "1 decimal Price")]
    public void A_text_with_a_missing_or_repeated_line_is_not_misread(string other, string line)
    {
        Assert.Equal(line, Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Order, other)).Line);
        Assert.Contains($"'{line}'", Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(other, Order)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Cases_are_compared_by_their_numbers() =>
        Assert.Equal("2 message(P) P", Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Shape, Shape.Replace("1 message(C) C\n", "", StringComparison.Ordinal))).Line);

    [Fact]
    public void Notes_are_not_compared() =>
        Assert.False(SchemaComparison.RequireCompatible(Order, Order.Replace("1 string Note\n", "1 string Note\n# a note\n# another\n", StringComparison.Ordinal)));

    [Theory]
    [InlineData("struct(8;0:i32,4:f32)", "struct(8;0:f32,4:i32)")]
    [InlineData("struct(12;0:u8,4:i32,8:i16)", "struct(16;0:u8,4:i32,8:i16)")]
    [InlineData("enum(u8)", "enum(i32)")]
    [InlineData("enum(u8)", "u8")]
    [InlineData("list(i32)", "list(i32?)")]
    [InlineData("list(list(string))", "list(string)")]
    [InlineData("dictionary(string,i32)", "dictionary(i32,i32)")]
    [InlineData("dictionary(string,i32)", "dictionary(string,i32?)")]
    [InlineData("set(string)", "list(string)")]
    public void Kinds_differ_in_their_details(string kind, string other) =>
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible($"message A\n0 {kind} X\n", $"message A\n0 {other} X\n"));

    [Fact]
    public void Messages_in_dictionaries_are_compared()
    {
        const string Shop = "message Order\n0 list(dictionary(string,message(Line))) Lines\nmessage Line\n0 i32 X\n";
        SchemaComparison.RequireCompatible(Shop, "message A\n0 list(dictionary(string,message(B))) C\nmessage B\n0 i32 D\n");
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Shop, "message A\n0 list(dictionary(string,message(B))) C\nmessage B\n0 i64 D\n"));
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Shop, "message A\n0 list(dictionary(i32,message(B))) C\nmessage B\n0 i32 D\n"));
    }

    [Fact]
    public void Recursive_types_are_compared_once()
    {
        const string Tree = "message Tree\n0 list(message(Tree)) Children\n1 i32 X\n";
        SchemaComparison.RequireCompatible(Tree, "message Node\n0 list(message(Node)) Nodes\n1 i32 Y\n2 i32 Z\n");
        Assert.Throws<SchemaMismatchException>(() => SchemaComparison.RequireCompatible(Tree, "message Node\n0 list(message(Other)) Nodes\n1 i32 Y\nmessage Other\n0 i32 X\n"));
    }

    [Fact]
    public void Equal_texts_need_no_comparison()
    {
        var schema = new MessageSchema("A", "0 i32 X\n", static () => []);
        schema.RequireCompatible(schema);
        Assert.Throws<SchemaMismatchException>(() => schema.RequireCompatible(MessageSchema.Parse("message A\n0 i64 X\n")));
    }

    private static MessageSchema SchemaOfSource<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;

    private static MessageSchema SchemaOfView<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Schema;
}
