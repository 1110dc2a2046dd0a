using BufferedMessages.Runtime.Tests.Wire;

namespace BufferedMessages.Runtime.Tests.Unions;

[BufferedMessageUnion]
[BufferedCase<Coin>(1)]
[BufferedReserved(2)]
[BufferedCase<Note>(3)]
internal partial interface IMoney;

[BufferedMessageSource]
internal sealed partial class Coin : IMoney
{
    public int Cents { get; set; }
}

[BufferedMessageSource]
internal sealed partial class Note : IMoney
{
    public string? Serial { get; set; }

    public int Value { get; set; }
}

[BufferedMessageSource]
internal partial class Purse
{
    public byte Pockets { get; set; }

    public IMoney? Null { get; set; }

    public IMoney? First { get; set; }

    public List<IMoney?>? All { get; set; }
}

/// <summary>The bytes are those of docs/format/messages.md.</summary>
public class GoldenUnionTests
{
    [Fact]
    public void Unions_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            04 00 01 00 78 00 00 00 ; 4 words, 120 bytes
            02 00 00 00 00 00 00 00 ; Pockets, hole
            00 00 00 00 00 00 00 00 ; Null
            02 00 03 00 20 00 00 00 ; First: 2 words, case 3, at 32
            03 00 00 00 40 00 00 00 ; All: 3 elements at 64
            0a 00 00 00 10 00 00 00 ; First.Serial: 10 bytes, 16 from the start of First
            14 00 00 00 00 00 00 00 ; First.Value: 20
            53 45 52 49 41 4c 2d 31 ; First.Serial
            32 33 00 00 00 00 00 00 ; First.Serial, gap
            01 00 01 00 18 00 00 00 ; All[0]: 1 word, case 1, 24 from the start of the slots
            00 00 00 00 00 00 00 00 ; All[1]: null
            02 00 03 00 20 00 00 00 ; All[2]: 2 words, case 3, at 32
            32 00 00 00 00 00 00 00 ; All[0].Cents: 50
            00 00 00 00 00 00 00 00 ; All[2].Serial: null
            05 00 00 00 00 00 00 00 ; All[2].Value: 5
            """);
        var source = new Purse
        {
            Pockets = 2,
            First = new Note { Serial = "SERIAL-123", Value = 20 },
            All = [new Coin { Cents = 50 }, null, new Note { Value = 5 }],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new PurseBufferedMessage(bytes);
        Assert.True(view.Null.IsNull);
        Assert.Equal("SERIAL-123", view.First.AsNote().Serial.ToString());
        Assert.Equal([MoneyCase.Coin, MoneyCase.None, MoneyCase.Note], new[] { view.All[0].Case, view.All[1].Case, view.All[2].Case });
    }

    [Fact]
    public void The_list_of_the_document_is_as_drawn() => GoldenMessage.AssertWrites(
        new Purse { All = [new Coin { Cents = 2 }, null] },
        GoldenMessage.Parse(
            """
            04 00 01 00 40 00 00 00 ; 4 words, 64 bytes
            00 00 00 00 00 00 00 00 ; Pockets, hole
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 00 ; First: null
            02 00 00 00 20 00 00 00 ; All: 2 elements at 32
            01 00 01 00 10 00 00 00 ; element 0: case 1, a block of 1 word, 16 behind the first slot
            00 00 00 00 00 00 00 00 ; element 1: null
            02 00 00 00 00 00 00 00 ; the block of the coin
            """));

    [Fact]
    public void A_root_is_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            01 00 01 00 18 00 00 00 ; 1 word, 24 bytes
            01 00 01 00 08 00 00 00 ; 1 word, case 1, at 8
            32 00 00 00 00 00 00 00 ; Cents: 50
            """);

        GoldenMessage.AssertWrites<IMoney>(new Coin { Cents = 50 }, bytes);
        Assert.Equal(50, new MoneyBufferedMessage(bytes).AsCoin().Cents);
    }

    [Fact]
    public void The_schema_is_as_written() => Assert.Equal(
        """
        message BufferedMessages.Runtime.Tests.Unions.Purse
        0 u8 Pockets
        1 union(BufferedMessages.Runtime.Tests.Unions.IMoney) Null
        2 union(BufferedMessages.Runtime.Tests.Unions.IMoney) First
        3 list(union(BufferedMessages.Runtime.Tests.Unions.IMoney)) All
        union BufferedMessages.Runtime.Tests.Unions.IMoney
        1 message(BufferedMessages.Runtime.Tests.Unions.Coin) Coin
        2 reserved
        3 message(BufferedMessages.Runtime.Tests.Unions.Note) Note
        message BufferedMessages.Runtime.Tests.Unions.Coin
        0 i32 Cents
        message BufferedMessages.Runtime.Tests.Unions.Note
        0 string Serial
        1 i32 Value

        """.ReplaceLineEndings("\n"),
        Purse.BufferedBlock.Schema.Text);
}
