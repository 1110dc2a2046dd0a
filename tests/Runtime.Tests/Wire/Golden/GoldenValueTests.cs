namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Numbers
{
    public bool Yes { get; set; }
    public byte U8 { get; set; }
    public sbyte I8 { get; set; }
    public short I16 { get; set; }
    public ushort U16 { get; set; }
    public char Unit { get; set; }
    public int I32 { get; set; }
    public uint U32 { get; set; }
    public long I64 { get; set; }
    public ulong U64 { get; set; }
    public Half F16 { get; set; }
    public float F32 { get; set; }
    public double F64 { get; set; }
    public Int128 I128 { get; set; }
    public UInt128 U128 { get; set; }
}

[BufferedMessageSource]
internal partial class Moments
{
    public decimal Price { get; set; }
    public Guid Id { get; set; }
    public DateTime Utc { get; set; }
    public DateTime Local { get; set; }
    public DateTime Last { get; set; }
    public DateTimeOffset Offset { get; set; }
    public TimeSpan Span { get; set; }
    public DateOnly Day { get; set; }
    public TimeOnly Time { get; set; }
}

[BufferedMessageSource]
internal partial class Choices
{
    public Small Small { get; set; }
    public Wide Wide { get; set; }
    public Narrow Narrow { get; set; }
    public Plain Plain { get; set; }
    public Small? Maybe { get; set; }
}

[BufferedMessageSource]
internal partial class Shapes
{
    public byte First { get; set; }
    public Padded Padded { get; set; }
    public Packed Packed { get; set; }
    public Tagged Tagged { get; set; }
    public Shifted Shifted { get; set; }
}

public class GoldenValueTests
{
    private static readonly Guid Id = new("00112233-4455-6677-8899-aabbccddeeff");

    [Fact]
    public void Numbers_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            0a 00 01 00 58 00 00 00 ; 10 words, 88 bytes
            01 fe fe 00 d4 fe cd ab ; Yes, U8, I8, hole, I16, U16
            ac 20 00 3e eb 32 a4 f8 ; Unit, F16 in the hole, I32
            ef be ad de 00 00 20 be ; U32, F32 in the hole
            fe ff ff ff ff ff ff ff ; I64
            ef cd ab 89 67 45 23 01 ; U64
            9a 99 99 99 99 99 b9 3f ; F64
            00 00 00 00 00 00 00 00 ; I128, low half
            ff ff ff ff ff ff ff ff ; I128, high half
            ff ee dd cc bb aa 99 88 ; U128, low half
            77 66 55 44 33 22 11 00 ; U128, high half
            """);
        var source = new Numbers
        {
            Yes = true,
            U8 = 0xFE,
            I8 = -2,
            I16 = -300,
            U16 = 0xABCD,
            Unit = '€',
            I32 = -123456789,
            U32 = 0xDEADBEEF,
            I64 = -2,
            U64 = 0x0123456789ABCDEF,
            F16 = (Half)1.5,
            F32 = -0.15625f,
            F64 = 0.1,
            I128 = -((Int128)1 << 64),
            U128 = new UInt128(0x0011223344556677, 0x8899AABBCCDDEEFF),
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new NumbersBufferedMessage(bytes);
        Assert.True(view.Yes);
        Assert.Equal(source.U8, view.U8);
        Assert.Equal(source.I8, view.I8);
        Assert.Equal(source.I16, view.I16);
        Assert.Equal(source.U16, view.U16);
        Assert.Equal(source.Unit, view.Unit);
        Assert.Equal(source.I32, view.I32);
        Assert.Equal(source.U32, view.U32);
        Assert.Equal(source.I64, view.I64);
        Assert.Equal(source.U64, view.U64);
        Assert.Equal(source.F16, view.F16);
        Assert.Equal(source.F32, view.F32);
        Assert.Equal(source.F64, view.F64);
        Assert.Equal(source.I128, view.I128);
        Assert.Equal(source.U128, view.U128);
        GoldenMessage.AssertWrites(view.ToNumbers(), bytes);
    }

    [Fact]
    public void Decimal_guid_and_times_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            0c 00 01 00 68 00 00 00 ; 12 words, 104 bytes
            00 00 02 80 00 00 00 00 ; Price: scale 2, negative; high 0
            39 30 00 00 00 00 00 00 ; 12345
            33 22 11 00 55 44 77 66 ; Id
            88 99 aa bb cc dd ee ff
            08 07 06 05 04 03 02 41 ; Utc: kind 1 in the top two bits
            01 00 00 00 00 00 00 80 ; Local: tick 1, kind 2
            ff 3f 37 f4 75 28 ca 2b ; Last: the last tick of the year 9999, kind 0
            08 07 06 05 04 03 02 01 ; Offset: UTC ticks
            a6 ff 00 00 00 00 00 00 ; -90 minutes
            ff ff ff ff ff ff ff ff ; Span: -1 tick
            09 0a 0b 00 00 00 00 00 ; Day, hole
            05 04 03 02 01 00 00 00 ; Time
            """);
        var source = new Moments
        {
            Price = -123.45m,
            Id = Id,
            Utc = new DateTime(0x0102030405060708, DateTimeKind.Utc),
            Local = new DateTime(1, DateTimeKind.Local),
            Last = DateTime.MaxValue,
            Offset = new DateTimeOffset(0x0102030405060708 - (90 * TimeSpan.TicksPerMinute), TimeSpan.FromMinutes(-90)),
            Span = TimeSpan.FromTicks(-1),
            Day = DateOnly.FromDayNumber(0x000B0A09),
            Time = new TimeOnly(0x0102030405),
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new MomentsBufferedMessage(bytes);
        Assert.Equal(source.Price, view.Price);
        Assert.Equal(source.Id, view.Id);
        Assert.Equal((source.Utc, DateTimeKind.Utc), (view.Utc, view.Utc.Kind));
        Assert.Equal((source.Local, DateTimeKind.Local), (view.Local, view.Local.Kind));
        Assert.Equal((source.Last, DateTimeKind.Unspecified), (view.Last, view.Last.Kind));
        Assert.Equal((source.Offset, source.Offset.Offset), (view.Offset, view.Offset.Offset));
        Assert.Equal(source.Span, view.Span);
        Assert.Equal(source.Day, view.Day);
        Assert.Equal(source.Time, view.Time);
        GoldenMessage.AssertWrites(view.ToMoments(), bytes);
    }

    [Fact]
    public void Enums_are_stored_as_their_underlying_integers()
    {
        var bytes = GoldenMessage.Parse(
            """
            03 00 01 00 20 00 00 00 ; 3 words, 32 bytes
            c8 01 fe ff 07 00 00 00 ; Small, presence byte of Maybe, Narrow and Plain in the hole that Wide left
            fb ff ff ff ff ff ff ff ; Wide
            01 00 00 00 00 00 00 00 ; Maybe
            """);
        var source = new Choices { Small = Small.Big, Wide = Wide.FarBelow, Narrow = Narrow.Below, Plain = Plain.Seven, Maybe = Small.One };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new ChoicesBufferedMessage(bytes);
        Assert.Equal(Small.Big, view.Small);
        Assert.Equal(Wide.FarBelow, view.Wide);
        Assert.Equal(Narrow.Below, view.Narrow);
        Assert.Equal(Plain.Seven, view.Plain);
        Assert.Equal(Small.One, view.Maybe);
        GoldenMessage.AssertWrites(view.ToChoices(), bytes);
    }

    [Fact]
    public void Structs_are_stored_as_in_memory_with_padding_of_zeros()
    {
        var bytes = GoldenMessage.Parse(
            """
            07 00 01 00 40 00 00 00 ; 7 words, 64 bytes
            11 00 00 00 22 00 00 00 ; First, hole, Padded.A, padding
            36 35 34 33 45 44 00 00 ; Padded.B, Padded.C, padding
            51 68 67 66 65 64 63 62 ; Packed.A, Packed.B
            61 00 00 00 71 00 00 00 ; hole, Tagged.A, padding
            33 22 11 00 55 44 77 66 ; Tagged.Id
            88 99 aa bb cc dd ee ff
            00 00 00 00 04 03 02 01 ; padding, Shifted.X
            """);
        var source = new Shapes
        {
            First = 0x11,
            Padded = Padded.Dirty(0x22, 0x33343536, 0x4445),
            Packed = new Packed { A = 0x51, B = 0x6162636465666768 },
            Tagged = new Tagged { A = 0x71, Id = Id },
            Shifted = Shifted.Dirty(0x01020304),
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new ShapesBufferedMessage(bytes);
        Assert.Equal(0x11, view.First);
        Assert.Equal((0x22, 0x33343536, 0x4445), (view.Padded.A, view.Padded.B, view.Padded.C));
        Assert.Equal((0x51, 0x6162636465666768), (view.Packed.A, view.Packed.B));
        Assert.Equal((0x71, Id), (view.Tagged.A, view.Tagged.Id));
        Assert.Equal(0x01020304, view.Shifted.X);
        GoldenMessage.AssertWrites(view.ToShapes(), bytes);
    }
}
