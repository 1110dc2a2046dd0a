namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class ValueLists
{
    public int[]? Null { get; set; }
    public int[]? Empty { get; set; }
    public List<short>? Shorts { get; set; }
    public List<long>? Longs { get; set; }
    public List<bool>? Flags { get; set; }
    public List<decimal>? Prices { get; set; }
    public List<byte>? Bytes { get; set; }
    public Guid[]? Ids { get; set; }
}

[BufferedMessageSource]
internal partial class MoreValueLists
{
    public char[]? Chars { get; set; }
    public List<Padded>? Structs { get; set; }
    public List<DateTime>? Times { get; set; }
    public List<DateOnly>? Days { get; set; }
    public List<DateTimeOffset>? Offsets { get; set; }
    public List<Small>? Enums { get; set; }
    public List<TimeOnly>? Clock { get; set; }
}

[BufferedMessageSource]
internal partial class NullableLists
{
    public List<int?>? Ints { get; set; }
    public byte?[]? Bytes { get; set; }
    public List<decimal?>? Decimals { get; set; }
    public List<int?>? Null { get; set; }
    public List<int?>? Empty { get; set; }
    public List<Padded?>? Structs { get; set; }
}

[BufferedMessageSource]
internal partial class SlotLists
{
    public List<string?>? Texts { get; set; }
    public List<byte[]?>? Blobs { get; set; }
    public List<List<int>?>? Matrix { get; set; }
    public string[]? Empty { get; set; }
    public List<string[]>? Nested { get; set; }
}

public class GoldenListTests
{
    private static readonly Guid Id = new("00112233-4455-6677-8899-aabbccddeeff");

    [Fact]
    public void Lists_of_values_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            08 00 01 00 88 00 00 00 ; 8 words, 136 bytes
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 80 ; Empty
            03 00 00 00 40 00 00 00 ; Shorts: 3 at 64
            01 00 00 00 48 00 00 00 ; Longs: 1 at 72
            03 00 00 00 50 00 00 00 ; Flags: 3 at 80
            01 00 00 00 58 00 00 00 ; Prices: 1 at 88
            03 00 00 00 68 00 00 00 ; Bytes: 3 at 104, a list is never inline
            01 00 00 00 70 00 00 00 ; Ids: 1 at 112
            01 00 ff ff 02 00 00 00 ; Shorts, gap
            05 00 00 00 00 00 00 00 ; Longs
            01 00 01 00 00 00 00 00 ; Flags, gap
            00 00 00 00 00 00 00 00 ; Prices[0]: flags, high
            01 00 00 00 00 00 00 00 ; low
            09 08 07 00 00 00 00 00 ; Bytes, gap
            33 22 11 00 55 44 77 66 ; Ids[0]
            88 99 aa bb cc dd ee ff
            """);
        var source = new ValueLists
        {
            Empty = [],
            Shorts = [1, -1, 2],
            Longs = [5],
            Flags = [true, false, true],
            Prices = [1m],
            Bytes = [9, 8, 7],
            Ids = [Id],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new ValueListsBufferedMessage(bytes);
        Assert.True(view.Null.IsNull);
        Assert.False(view.Empty.IsNull);
        Assert.Equal(0, view.Empty.Length);
        Assert.Equal([1, -1, 2], view.Shorts.ToArray());
        Assert.Equal([5], view.Longs.ToArray());
        Assert.Equal((3, true, false, true), (view.Flags.Count, view.Flags[0], view.Flags[1], view.Flags[2]));
        Assert.Equal((1, 1m), (view.Prices.Count, view.Prices[0]));
        Assert.Equal([9, 8, 7], view.Bytes.ToArray());
        Assert.Equal([Id], view.Ids.ToArray());
        GoldenMessage.AssertWrites(view.ToValueLists(), bytes);
    }

    [Fact]
    public void Lists_of_structs_dates_and_enums_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            07 00 01 00 90 00 00 00 ; 7 words, 144 bytes
            02 00 00 00 38 00 00 00 ; Chars: 2 at 56
            02 00 00 00 3c 00 00 00 ; Structs: 2 at 60
            01 00 00 00 58 00 00 00 ; Times: 1 at 88
            02 00 00 00 60 00 00 00 ; Days: 2 at 96
            01 00 00 00 68 00 00 00 ; Offsets: 1 at 104
            02 00 00 00 78 00 00 00 ; Enums: 2 at 120
            01 00 00 00 80 00 00 00 ; Clock: 1 at 128
            61 00 62 00 01 00 00 00 ; Chars, Structs[0].A, padding
            02 00 00 00 03 00 00 00 ; Structs[0].B, Structs[0].C, padding
            04 00 00 00 05 00 00 00 ; Structs[1].A, padding, Structs[1].B
            06 00 00 00 00 00 00 00 ; Structs[1].C, padding, gap
            01 00 00 00 00 00 00 40 ; Times[0]: tick 1, kind 1
            01 00 00 00 02 00 00 00 ; Days
            00 68 c4 61 08 00 00 00 ; Offsets[0]: one hour of UTC ticks
            3c 00 00 00 00 00 00 00 ; 60 minutes
            01 c8 00 00 00 00 00 00 ; Enums, gap
            02 00 00 00 00 00 00 00 ; Clock[0]
            """);
        var source = new MoreValueLists
        {
            Chars = ['a', 'b'],
            Structs = [Padded.Dirty(1, 2, 3), Padded.Dirty(4, 5, 6)],
            Times = [new DateTime(1, DateTimeKind.Utc)],
            Days = [DateOnly.FromDayNumber(1), DateOnly.FromDayNumber(2)],
            Offsets = [new DateTimeOffset(2 * TimeSpan.TicksPerHour, TimeSpan.FromHours(1))],
            Enums = [Small.One, Small.Big],
            Clock = [new TimeOnly(2)],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new MoreValueListsBufferedMessage(bytes);
        Assert.Equal("ab", view.Chars.ToString());
        Assert.Equal((4, 5, 6), (view.Structs[1].A, view.Structs[1].B, view.Structs[1].C));
        Assert.Equal((1, DateTimeKind.Utc), (view.Times[0].Ticks, view.Times[0].Kind));
        Assert.Equal(2, view.Days[1].DayNumber);
        Assert.Equal(source.Offsets[0], view.Offsets[0]);
        Assert.Equal(TimeSpan.FromHours(1), view.Offsets[0].Offset);
        Assert.Equal([Small.One, Small.Big], view.Enums.ToArray());
        Assert.Equal(2, view.Clock[0].Ticks);
        GoldenMessage.AssertWrites(view.ToMoreValueLists(), bytes);
    }

    [Fact]
    public void Lists_of_nullable_values_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            06 00 01 00 a0 00 00 00 ; 6 words, 160 bytes
            03 00 00 00 30 00 00 00 ; Ints: 3 at 48
            09 00 00 00 40 00 00 00 ; Bytes: 9 at 64
            02 00 00 00 50 00 00 00 ; Decimals: 2 at 80
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 80 ; Empty
            02 00 00 00 78 00 00 00 ; Structs: 2 at 120
            05 00 00 00 07 00 00 00 ; Ints: bitmap, up to 4; 7
            00 00 00 00 09 00 00 00 ; null, 9
            81 01 01 00 00 00 00 00 ; Bytes: bitmap of two bytes; 1, nulls
            00 08 09 00 00 00 00 00 ; null, 8, 9, gap
            02 00 00 00 00 00 00 00 ; Decimals: bitmap, up to 8
            00 00 00 00 00 00 00 00 ; null
            00 00 00 00 00 00 00 00
            00 00 01 00 00 00 00 00 ; 0.5: scale 1
            05 00 00 00 00 00 00 00
            01 00 00 00 01 00 00 00 ; Structs: bitmap, up to 4; A, padding
            02 00 00 00 03 00 00 00 ; B, C, padding
            00 00 00 00 00 00 00 00 ; null
            00 00 00 00 00 00 00 00 ; null, end
            """);
        var source = new NullableLists
        {
            Ints = [7, null, 9],
            Bytes = [1, null, null, null, null, null, null, 8, 9],
            Decimals = [null, 0.5m],
            Empty = [],
            Structs = [Padded.Dirty(1, 2, 3), null],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new NullableListsBufferedMessage(bytes);
        Assert.Equal((3, 7, null, 9), (view.Ints.Count, view.Ints[0], view.Ints[1], view.Ints[2]));
        Assert.Equal(9, view.Bytes.Count);
        Assert.Equal((1, null, null, 8, 9), (view.Bytes[0], view.Bytes[1], view.Bytes[6], view.Bytes[7], view.Bytes[8]));
        Assert.Equal((2, null, 0.5m), (view.Decimals.Count, view.Decimals[0], view.Decimals[1]));
        Assert.True(view.Null.IsNull);
        Assert.False(view.Empty.IsNull);
        Assert.Equal(0, view.Empty.Count);
        Assert.Equal((1, 2, 3), (view.Structs[0]!.Value.A, view.Structs[0]!.Value.B, view.Structs[0]!.Value.C));
        Assert.Null(view.Structs[1]);
        GoldenMessage.AssertWrites(view.ToNullableLists(), bytes);
    }

    [Fact]
    public void Lists_of_strings_binaries_and_lists_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            05 00 01 00 b8 00 00 00 ; 5 words, 184 bytes
            03 00 00 00 28 00 00 00 ; Texts: 3 at 40
            03 00 00 00 48 00 00 00 ; Blobs: 3 at 72
            04 00 00 00 68 00 00 00 ; Matrix: 4 at 104
            00 00 00 00 00 00 00 80 ; Empty
            02 00 00 00 98 00 00 00 ; Nested: 2 at 152
            00 00 00 00 00 00 00 80 ; Texts[0]: empty
            00 00 00 00 00 00 00 00 ; Texts[1]: null
            08 00 00 00 18 00 00 00 ; Texts[2]: 8 bytes, 24 from the start of the slot array
            31 32 33 34 35 36 37 38 ; Texts[2]
            01 02 00 00 00 00 00 82 ; Blobs[0]
            08 00 00 00 18 00 00 00 ; Blobs[1]
            00 00 00 00 00 00 00 00 ; Blobs[2]: null
            a0 a1 a2 a3 a4 a5 a6 a7 ; Blobs[1]
            02 00 00 00 20 00 00 00 ; Matrix[0]: 2, 32 from the start of the slot array
            00 00 00 00 00 00 00 80 ; Matrix[1]: empty
            00 00 00 00 00 00 00 00 ; Matrix[2]: null
            01 00 00 00 28 00 00 00 ; Matrix[3]: 1, 40 from the start of the slot array
            01 00 00 00 02 00 00 00 ; Matrix[0]
            03 00 00 00 00 00 00 00 ; Matrix[3], gap
            01 00 00 00 10 00 00 00 ; Nested[0]: 1, 16 from the start of the slot array
            00 00 00 00 00 00 00 80 ; Nested[1]: empty
            61 00 00 00 00 00 00 81 ; Nested[0][0]: "a"
            """);
        var source = new SlotLists
        {
            Texts = ["", null, "12345678"],
            Blobs = [[1, 2], [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7], null],
            Matrix = [[1, 2], [], null, [3]],
            Empty = [],
            Nested = [["a"], []],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new SlotListsBufferedMessage(bytes);
        Assert.Equal(3, view.Texts.Count);
        Assert.True(view.Texts[0] == "");
        Assert.True(view.Texts[1].IsNull);
        Assert.True(view.Texts[2] == "12345678");
        Assert.Equal([1, 2], view.Blobs[0].Span.ToArray());
        Assert.Equal(8, view.Blobs[1].Span.Length);
        Assert.True(view.Blobs[2].IsNull);
        Assert.Equal([1, 2], view.Matrix[0].Span.ToArray());
        Assert.False(view.Matrix[1].IsNull);
        Assert.Equal(0, view.Matrix[1].Count);
        Assert.True(view.Matrix[2].IsNull);
        Assert.Equal(3, view.Matrix[3][0]);
        Assert.False(view.Empty.IsNull);
        Assert.Equal(0, view.Empty.Count);
        Assert.Equal(2, view.Nested.Count);
        Assert.True(view.Nested[0][0] == "a");
        Assert.Equal(0, view.Nested[1].Count);
        GoldenMessage.AssertWrites(view.ToSlotLists(), bytes);
    }
}
