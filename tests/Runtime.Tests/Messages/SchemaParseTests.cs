using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using BufferedMessages.Runtime.Tests.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Messages;

/// <summary>Schemas that are made of their texts. A text of a schema is read as it was; another is refused with its line and the reason.</summary>
public class SchemaParseTests
{
    [Fact]
    public void A_parsed_schema_is_the_one_that_gave_the_text()
    {
        var schema = SchemaOf<Album>();

        var parsed = MessageSchema.Parse(schema.Text);

        Assert.Equal((schema.Name, schema.Text, schema.Fingerprint), (parsed.Name, parsed.Text, parsed.Fingerprint));
        parsed.RequireCompatible(schema);
    }

    [Theory]
    [InlineData("message A\n")]
    [InlineData("union U\n")]
    [InlineData("message A\n0 reserved(list(message(B)))\n1 message(B) B\nmessage B\n")]
    [InlineData("message A\n0 dictionary(string,list(union(U))) X\nunion U\n1 reserved\n2 message(A) A\n3 message(B) B\nmessage B\n0 struct(12;0:u8,4:struct(2;0:u8)[3],10:guid[0]) Y\n")]
    [InlineData("message A\n0 list(list(struct(8/4;0:i64)?)) X\n1 set(enum(u8)) Y\n2 timeonly? Z\n")]
    public void Every_form_of_a_text_is_read(string text) => Assert.Equal(text, MessageSchema.Parse(text).Text);

    [Theory]
    [InlineData("", "cut off")]
    [InlineData("message A", "cut off")]
    [InlineData("message A\n0 i32 Number", "cut off")]
    [InlineData("\n", "Line 1 of the schema text, '', is wrong: the first line must be")]
    [InlineData("no schema at all\n", "Line 1 of the schema text, 'no schema at all', is wrong: the first line must be")]
    [InlineData("0 i32 Number\n", "Line 1")]
    [InlineData("message \n", "Line 1")]
    [InlineData("message A B\n", "Line 1")]
    [InlineData("message A\n\n", "Line 2 of the schema text, '', is wrong: an empty line ends a version")]
    [InlineData("message A\n0 i32 X\n\nmessage A\n0 i32 X\n1 i32 Y\n", "Line 3 of the schema text, '', is wrong: an empty line ends a version of the schema, and this text must be of one version. Divide the text there.")]
    [InlineData("message A\n0 i32 X\nmessage A\n0 i32 X\n1 i32 Y\n", "Line 3 of the schema text, 'message A', is wrong: no line refers to this type, or it is described already")]
    [InlineData("message A\n0 i32 X\n2 i32 Y\n", "Line 3 of the schema text, '2 i32 Y', is wrong: it must begin with the number 1")]
    [InlineData("# a note\nmessage A\n", "Line 1 of the schema text, '# a note', is wrong: the first line must be")]
    [InlineData("message A\n1 i32 Number\n", "Line 2 of the schema text, '1 i32 Number', is wrong: it must begin with the number 0")]
    [InlineData("message A\n0 i32 Number\n00 i32 Other\n", "Line 3")]
    [InlineData("message A\n0 i32 Number\n0 i32 Other\n", "it must begin with the number 1")]
    [InlineData("message A\nnumber\n", "Line 2")]
    [InlineData("message A\n0 i32\n", "a member is a number, a kind and a name")]
    [InlineData("message A\n0 i32 Number twice\n", "a member is a number, a kind and a name")]
    [InlineData("message A\n0 i32  Number\n", "a member is a number, a kind and a name")]
    [InlineData("message A\n0 i32 Number\r\n\n", "Line 3")]
    [InlineData("message A\n0 reserved(i32\n", "Line 2")]
    [InlineData("message A\n0 i33 Number\n", "Line 2 of the schema text, '0 i33 Number', is wrong: its kind is unknown from character 3 of it on; if a newer program wrote it, update the BufferedMessages package.")]
    [InlineData("message A\n0 list(i32 Numbers\n", "its kind is unknown from character 8")]
    [InlineData("message A\n0 list(i32)) Numbers\n", "its kind is unknown from character 9")]
    [InlineData("message A\n0 struct(70000;0:i32) Point\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(8;0:struct(4;0:i32)) Point\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(8;0:i32[3]) Point\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(8;0:i64[65535]) Point\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(8;0:struct(65535;0:u8)[65535]) Point\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(8;0:i32[2) Point\n", "its kind is unknown")]
    [InlineData("message A\n0 enum(f64) State\n", "its kind is unknown from character 8")]
    [InlineData("message A\n0 enum(guid)? State\n", "its kind is unknown")]
    [InlineData("message A\n0 list(enum(enum(u8))) States\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(8;0:enum(bool)) State\n", "its kind is unknown")]
    [InlineData("message A\n0 struct(16;0:decimal) Price\n", "its kind is unknown from character 19")]
    [InlineData("message A\n0 struct(4;0:dateonly[1]) Days\n", "its kind is unknown")]
    [InlineData("message A\n0 set(f64) Numbers\n", "its kind is unknown")]
    [InlineData("message A\n0 set(enum(char)) Numbers\n", "its kind is unknown")]
    [InlineData("message A\n0 set(i32?) Numbers\n", "its kind is unknown")]
    [InlineData("message A\n0 dictionary(decimal,i32) Prices\n", "its kind is unknown")]
    [InlineData("message A\n0 dictionary(string) Names\n", "its kind is unknown")]
    [InlineData("message A\n0 message(B) B\n", "does not describe 'B': a line 'message B' is missing")]
    [InlineData("message A\n0 union(B) B\n", "does not describe 'B': a line 'union B' is missing")]
    [InlineData("message A\n0 union(B) B\nmessage B\n", "Line 3 of the schema text, 'message B', is wrong: 'union B' must be here")]
    [InlineData("message A\n0 message(B) B\n1 message(C) C\nmessage C\nmessage B\n", "Line 4 of the schema text, 'message C', is wrong: 'message B' must be here")]
    [InlineData("message A\nmessage B\n", "Line 2 of the schema text, 'message B', is wrong: no line refers to this type")]
    [InlineData("message A\n0 message(B) B\nmessage B\nmessage B\n", "Line 4 of the schema text, 'message B', is wrong: no line refers to this type, or it is described already")]
    [InlineData("union A\n1 string B\n", "a case is a number, a message and a name")]
    [InlineData("union A\n1 message(B)\n", "a case is a number, a message and a name")]
    [InlineData("union A\n0 message(B) B\n", "it must begin with the number 1")]
    [InlineData("union A\n1 message(B) B C\n", "a case is a number, a message and a name")]
    [InlineData("union A\nx message(B) B\n", "it must begin with the number 1")]
    [InlineData("union A\n1 message(B) B\n", "a line 'message B' is missing")]
    public void A_text_that_is_not_a_schema_is_refused_with_the_line_and_the_reason(string text, string reason) =>
        Assert.Contains(reason, Assert.Throws<FormatException>(() => MessageSchema.Parse(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void Notes_belong_to_the_text_and_not_to_the_fingerprint()
    {
        const string Plain = "message A\n0 enum(u8) State\n1 message(B) B\nmessage B\n0 i32 X\n";
        const string Noted = "message A\n#since 2\n0 enum(u8) State\n#enum State Open=0 Closed=1\n#\n1 message(B) B\nmessage B\n0 i32 X\n# the end\n";

        var (plain, noted) = (MessageSchema.Parse(Plain), MessageSchema.Parse(Noted));

        Assert.Equal(Noted, noted.Text);
        Assert.Equal(plain.Fingerprint, noted.Fingerprint);
        Assert.NotEqual(plain.Fingerprint, MessageSchema.Parse(Plain.Replace("State", "Status", StringComparison.Ordinal)).Fingerprint);
        noted.RequireCompatible(plain);
        plain.RequireCompatible(noted);
        var message = new byte[32];
        (message[0], message[2], message[4]) = (3, 1, 32);
        Assert.Equal(BufferedMessage.Explain(message, plain), BufferedMessage.Explain(message, noted));
    }

    [Theory]
    [InlineData("list(")]
    [InlineData("dictionary(string,")]
    [InlineData("enum(")]
    [InlineData("struct(8;0:")]
    public void A_text_that_nests_without_end_is_refused_and_shown_in_part(string kind)
    {
        var exception = Assert.Throws<FormatException>(() => MessageSchema.Parse("message A\n0 " + string.Concat(Enumerable.Repeat(kind, 1_000_000)) + " Deep\n"));

        Assert.InRange(exception.Message.Length, 100, 300);
    }

    [Fact]
    public void A_text_whose_members_pass_the_largest_block_is_refused()
    {
        var members = Enumerable.Range(0, 50_000).Select(ordinal => string.Create(CultureInfo.InvariantCulture, $"{ordinal} struct(60000;0:i64) M{ordinal}\n"));

        Assert.Contains("words", Assert.Throws<FormatException>(() => MessageSchema.Parse("message A\n" + string.Concat(members))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_struct_of_many_overlapping_arrays_is_looked_at_once()
    {
        const int MostBytes = 1024 * 1024;
        var arrays = string.Join(',', Enumerable.Repeat("0:struct(1;0:u8)[65535]", 600));
        var schema = MessageSchema.Parse($"message A\n0 list(struct(65535;{arrays})) X\n");
        byte[] message = [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

        // Each look at a struct allocates a little: one for each of the 39 million elements came to more than a gigabyte.
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.True(BufferedMessage.Verify(message, schema, out var error), error.ToString());
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MostBytes);
    }

    [Fact]
    public void The_padding_of_a_struct_is_the_bytes_that_no_element_of_its_arrays_uses()
    {
        var schema = MessageSchema.Parse("message A\n0 struct(8;0:struct(4;0:u8)[2],4:struct(2;1:u8)[2]) X\n");
        for (var at = 0; at < 8; at++)
        {
            byte[] message = [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            message[8 + at] = 1;

            Assert.Equal(at is 0 or 4 or 5 or 7, BufferedMessage.Verify(message, schema, out _));
        }
    }

    [Fact]
    public void A_message_is_written_as_JSON_by_its_schema()
    {
        var message = WorkedExampleTests.Example.ToMessageArray();
        var schema = MessageSchema.Parse(SchemaOf<Album>().Text);

        Assert.Equal(Json(json => new AlbumBufferedMessage(message).WriteJson(json)), Json(json => BufferedMessage.WriteJson([.. message, 1, 2, 3], schema, json)));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(60)]
    public void A_damaged_message_is_malformed_as_JSON(int length) =>
        Assert.Throws<MalformedMessageException>(() => Json(json => BufferedMessage.WriteJson(WorkedExampleTests.Example.ToMessageArray().AsSpan(0, length), SchemaOf<Album>(), json)));

    [Fact]
    public void Missing_arguments_are_refused()
    {
        var schema = SchemaOf<Album>();
        using var json = new Utf8JsonWriter(new ArrayBufferWriter<byte>());
        Assert.Throws<ArgumentNullException>(() => MessageSchema.Parse(null!));
        Assert.Throws<ArgumentNullException>(() => schema.RequireCompatible(null!));
        Assert.Throws<ArgumentNullException>(() => BufferedMessage.Verify([], null!, out _));
        Assert.Throws<ArgumentNullException>(() => BufferedMessage.WriteJson([], null!, json));
        Assert.Throws<ArgumentNullException>(() => BufferedMessage.WriteJson([], schema, null!));
        Assert.Throws<ArgumentNullException>(() => BufferedMessage.Explain([], null!));
    }

    private static string Json(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            write(json);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static MessageSchema SchemaOf<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;
}
