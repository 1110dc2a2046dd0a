namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Gaps
{
    public byte A { get; set; }
    public int B { get; set; }
    public byte? C { get; set; }
    public long D { get; set; }
    public short E { get; set; }
    public int F { get; set; }
}

[BufferedMessageSource]
internal partial class Nullables
{
    public int? N0 { get; set; }
    public byte? N1 { get; set; }
    public long? N2 { get; set; }
    public short? N3 { get; set; }
    public bool? N4 { get; set; }
    public double? N5 { get; set; }
    public byte? N6 { get; set; }
    public byte? N7 { get; set; }
    public int? N8 { get; set; }
    public DateTime? N9 { get; set; }
    public Padded? N10 { get; set; }
}

[BufferedMessageSource]
internal partial class Tiny
{
    public bool Only { get; set; }
}

[BufferedMessageSource]
internal partial class Numbered
{
    [BufferedMember(1)]
    public byte Late { get; set; }

    [BufferedMember(0)]
    public int Early { get; set; }
}

[BufferedMessageSource]
internal partial class Person
{
    public string Name { get; set; } = "";
    public int Age { get; set; }
    public string? Email { get; set; }
}

public class GoldenPlacementTests
{
    [Fact]
    public void Members_fill_the_holes_that_others_left()
    {
        var bytes = GoldenMessage.Parse(
            """
            03 00 01 00 20 00 00 00 ; 3 words, 32 bytes
            01 01 03 00 02 00 00 00 ; A, presence byte, C, hole, B
            04 00 00 00 00 00 00 00 ; D
            05 00 00 00 06 00 00 00 ; E, hole, F
            """);
        GoldenMessage.AssertWrites(new Gaps { A = 1, B = 2, C = 3, D = 4, E = 5, F = 6 }, bytes);

        var view = new GapsBufferedMessage(bytes);
        Assert.Equal((1, 2, (byte?)3), (view.A, view.B, view.C));
        Assert.Equal((4L, 5, 6), (view.D, (int)view.E, view.F));
        GoldenMessage.AssertWrites(view.ToGaps(), bytes);
    }

    [Fact]
    public void A_presence_byte_serves_eight_nullables()
    {
        var bytes = GoldenMessage.Parse(
            """
            07 00 01 00 40 00 00 00 ; 7 words, 64 bytes
            b6 aa 00 00 00 00 00 00 ; presence of N0 to N7, N1, N3, N0
            ff ff ff ff ff ff ff ff ; N2
            00 00 00 05 05 00 00 00 ; N4, N6, N7, presence of N8 to N10, N8
            00 00 00 00 00 00 f0 3f ; N5
            00 00 00 00 00 00 00 00 ; N9
            01 00 00 00 02 00 00 00 ; N10.A, padding, N10.B
            03 00 00 00 00 00 00 00 ; N10.C, padding, unused
            """);
        var source = new Nullables { N1 = 0xAA, N2 = -1, N4 = false, N5 = 1.0, N7 = 0, N8 = 5, N10 = Padded.Dirty(1, 2, 3) };
        GoldenMessage.AssertWrites(source, bytes);

        var view = new NullablesBufferedMessage(bytes);
        Assert.Null(view.N0);
        Assert.Equal((byte?)0xAA, view.N1);
        Assert.Equal(-1, view.N2);
        Assert.Null(view.N3);
        Assert.False(Assert.NotNull(view.N4));
        Assert.Equal(1.0, view.N5);
        Assert.Null(view.N6);
        Assert.Equal((byte?)0, view.N7);
        Assert.Equal(5, view.N8);
        Assert.Null(view.N9);
        Assert.Equal((1, 2, 3), (view.N10!.Value.A, view.N10.Value.B, view.N10.Value.C));
        GoldenMessage.AssertWrites(view.ToNullables(), bytes);
    }

    [Fact]
    public void Absent_nullables_are_zeros()
    {
        var bytes = new byte[64];
        bytes[0] = 7;
        bytes[2] = 1;
        bytes[4] = 64;
        GoldenMessage.AssertWrites(new Nullables(), bytes);
        GoldenMessage.AssertWrites(new NullablesBufferedMessage(bytes).ToNullables(), bytes);
    }

    [Fact]
    public void A_block_has_at_least_a_word()
    {
        var bytes = GoldenMessage.Parse(
            """
            01 00 01 00 10 00 00 00 ; 1 word, 16 bytes
            01 00 00 00 00 00 00 00 ; Only
            """);
        GoldenMessage.AssertWrites(new Tiny { Only = true }, bytes);

        var view = new TinyBufferedMessage(bytes);
        Assert.True(view.Only);
        GoldenMessage.AssertWrites(view.ToTiny(), bytes);
    }

    [Fact]
    public void Ordinals_decide_the_order_of_placement()
    {
        var bytes = GoldenMessage.Parse(
            """
            01 00 01 00 10 00 00 00 ; 1 word, 16 bytes
            04 03 02 01 05 00 00 00 ; Early, Late
            """);
        GoldenMessage.AssertWrites(new Numbered { Early = 0x01020304, Late = 5 }, bytes);

        var view = new NumberedBufferedMessage(bytes);
        Assert.Equal((0x01020304, 5), (view.Early, view.Late));
        GoldenMessage.AssertWrites(view.ToNumbered(), bytes);
    }

    [Fact]
    public void A_short_string_lies_in_its_slot()
    {
        var bytes = GoldenMessage.Parse(
            """
            03 00 01 00 20 00 00 00 ; 3 words, 32 bytes
            46 6f 6f 62 61 72 00 86 ; Name: inline, 6 bytes
            1e 00 00 00 00 00 00 00 ; Age, hole
            00 00 00 00 00 00 00 00 ; Email: null
            """);
        GoldenMessage.AssertWrites(new Person { Name = "Foobar", Age = 30 }, bytes);

        var view = new PersonBufferedMessage(bytes);
        Assert.True(view.Name == "Foobar");
        Assert.Equal(30, view.Age);
        Assert.True(view.Email.IsNull);
        GoldenMessage.AssertWrites(view.ToPerson(), bytes);
    }
}
