using BufferedMessages.Runtime.Tests.Messages;
using BufferedMessages.Runtime.Tests.Unions.Generation1;

namespace BufferedMessages.Runtime.Tests.Unions;

/// <summary>Unions are verified, explained and written as JSON.</summary>
public class UnionVerificationTests
{
    private static readonly Purse Source = new()
    {
        Pockets = 2,
        First = new Note { Serial = "SERIAL-123", Value = 20 },
        All = [new Coin { Cents = 50 }, null, new Note { Value = 5 }],
    };

    [Fact]
    public void A_message_that_is_written_is_valid_and_exact()
    {
        Assert.True(PurseBufferedMessage.Verify(Source.ToMessageArray(), out var error, exact: true), error.ToString());
        IMoney root = new Note { Serial = "SERIAL-123" };
        Assert.True(MoneyBufferedMessage.Verify(root.ToMessageArray(), out error, exact: true), error.ToString());
        Assert.True(DrawingBufferedMessage.Verify(new Drawing { ByName = new() { ["a"] = new Group { Frame = new Star() } }, Carrier = new Bicycle("Ann", 1) }.ToMessageArray(), out error, exact: true), error.ToString());
    }

    [Theory]
    [InlineData(26, 0, "First", "a union has a case of number 0")]
    [InlineData(24, 0, "First", "the slot of a nested message or a union has an empty block, or bits that must be zero")]
    [InlineData(28, 8, "First", "payloads overlap, or are not in the order of their slots")]
    [InlineData(28, 33, "First", "a payload is not aligned")]
    [InlineData(56, 200, "First.Serial", "a string is not UTF-8")]
    [InlineData(90, 0, "All[2]", "a union has a case of number 0")]
    [InlineData(93, 1, "All[2]", "a payload reaches beyond the end of the message")]
    public void Damage_is_found_with_its_path(int position, byte value, string path, string rule)
    {
        var bytes = Source.ToMessageArray();
        bytes[position] = value;

        Assert.False(PurseBufferedMessage.Verify(bytes, out var error));
        Assert.Equal((path, rule), (error.Path, error.Rule));
    }

    [Fact]
    public void A_root_that_is_null_is_not_valid_and_cannot_be_copied()
    {
        byte[] bytes = [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

        Assert.False(MoneyBufferedMessage.Verify(bytes, out var error));
        Assert.Equal(new MessageError("", 8, "a message that is a union holds no case"), error);
        Assert.False(BufferedMessage.Verify(bytes, MessageSchema.Parse(IMoney.BufferedBlock.Schema.Text), out var errorBySchema));
        Assert.Equal(error, errorBySchema);
        Assert.Throws<MalformedMessageException>(() => MoneyBufferedMessage.CreateVerified(bytes).IsNull);
        Assert.Throws<InvalidOperationException>(() => new MoneyBufferedMessage(bytes).ToMoney());
    }

    [Fact]
    public void An_unknown_case_is_valid_but_not_exact()
    {
        var bytes = new Generation3.Log { All = [new Generation3.Merged { Parts = [new Generation3.Created()] }, new Generation3.Created()] }.ToMessageArray();

        Assert.True(LogBufferedMessage.Verify(bytes, out _));
        Assert.False(LogBufferedMessage.Verify(bytes, out var error, exact: true));
        Assert.Equal(("All[0]", "a union has a case that its type does not have"), (error.Path, error.Rule));
    }

    [Fact]
    public void Every_changed_byte_verifies_and_copies_or_does_not_verify()
    {
        var original = new Drawing
        {
            Main = new Circle { Label = "a round one", Radius = 2 },
            Layers = [new Star { Points = 5 }, null, new Group { Frame = new Circle { Label = "inner" } }],
            ByName = new() { ["a name"] = new Polygon { Corners = [1] } },
            Carrier = new Car { Seats = 4 },
        }.ToMessageArray();
        var bytes = original.ToArray();
        for (var position = 0; position < bytes.Length; position++)
        {
            for (var value = 0; value < 256; value++)
            {
                bytes[position] = (byte)value;
                if (DrawingBufferedMessage.Verify(bytes, out _))
                {
                    Copy(bytes);
                }
            }

            bytes[position] = original[position];
        }
    }

    [Fact]
    public void Json_names_the_case()
    {
        Assert.Equal(
            """{"Pockets":2,"Null":null,"First":{"$type":"Note","Serial":"SERIAL-123","Value":20},"All":[{"$type":"Coin","Cents":50},null,{"$type":"Note","Serial":null,"Value":5}]}""",
            new PurseBufferedMessage(Source.ToMessageArray()).ToString());
        Assert.Equal("""{"$type":"Coin","Cents":50}""", new PurseBufferedMessage(Source.ToMessageArray()).All[0].ToString());
        Assert.Equal("null", new PurseBufferedMessage(Source.ToMessageArray()).Null.ToString());
    }

    [Fact]
    public void Json_of_a_root_and_of_an_unknown_case()
    {
        IMoney coin = new Coin { Cents = 50 };
        Generation3.IEvent merged = new Generation3.Merged { Parts = [new Generation3.Created()] };

        Assert.Equal("""{"$type":"Coin","Cents":50}""", JsonTests.JsonOf<MoneyBufferedMessage>(coin.ToMessageArray()));
        Assert.Equal("""{"$type":4}""", JsonTests.JsonOf<EventBufferedMessage>(merged.ToMessageArray()));
    }

    [Fact]
    public void Content_is_compared_with_its_cases()
    {
        // The second has its payloads at other places: a newer writer left a gap.
        IMoney note = new Note { Serial = "SERIAL-123", Value = 20 };
        var first = note.ToMessageArray();
        var moved = Moved(first);

        Assert.True(new MoneyBufferedMessage(first).ContentEquals(new MoneyBufferedMessage(moved)));
        Assert.False(new MoneyBufferedMessage(first).ContentEquals(new MoneyBufferedMessage(((IMoney)new Note { Serial = "SERIAL-124", Value = 20 }).ToMessageArray())));
        Assert.False(new MoneyBufferedMessage(first).ContentEquals(new MoneyBufferedMessage(((IMoney)new Coin()).ToMessageArray())));
        Assert.False(new MoneyBufferedMessage(first).ContentEquals(default));
        Assert.True(default(MoneyBufferedMessage).ContentEquals(default));
    }

    [Fact]
    public void Members_of_equal_blocks_and_other_cases_are_different()
    {
        var red = new Drawing { Main = new Circle() }.ToMessageArray();
        var other = red.ToArray();
        other[18] = 2;

        Assert.False(new DrawingBufferedMessage(red).ContentEquals(new DrawingBufferedMessage(other)));
    }

    [Fact]
    public void Unknown_cases_are_equal_only_by_their_bytes()
    {
        var known = new Generation3.Log { All = [new Generation3.Created { At = 1 }] }.ToMessageArray();
        var unknown = new Generation3.Log { All = [new Generation3.Merged()] }.ToMessageArray();

        Assert.True(new LogBufferedMessage(unknown).ContentEquals(new LogBufferedMessage(unknown.ToArray())));
        Assert.False(new LogBufferedMessage(unknown).ContentEquals(new LogBufferedMessage(Moved(unknown))));
        Assert.True(new LogBufferedMessage(known).ContentEquals(new LogBufferedMessage(Moved(known))));
    }

    [Fact]
    public void Every_byte_is_explained()
    {
        Assert.Equal(
            """
                 0  04 00 01 00 78 00 00 00  BufferedMessages.Runtime.Tests.Unions.Purse: root block of 4 words, version 1, flags 0, 120 bytes in all
                 8  02                       Pockets: 2
                 9  00 00 00 00 00 00 00     padding
                16  00 00 00 00 00 00 00 00  Null: null
                24  02 00 03 00 20 00 00 00  First: case 3, a block of 2 words, 32 bytes after the start of this block or slot array: Note
                32  03 00 00 00 40 00 00 00  All: 3 elements, 64 bytes after the start of this block or slot array
                40  0a 00 00 00 10 00 00 00  First.Serial: 10 bytes, 16 bytes after the start of this block or slot array
                48  14 00 00 00              First.Value: 20
                52  00 00 00 00              padding
                56  53 45 52 49 41 4c 2d 31  First.Serial: "SERIAL-123"
                64  32 33
                66  00 00 00 00 00 00        padding
                72  01 00 01 00 18 00 00 00  All[0]: case 1, a block of 1 words, 24 bytes after the start of this block or slot array: Coin
                80  00 00 00 00 00 00 00 00  All[1]: null
                88  02 00 03 00 20 00 00 00  All[2]: case 3, a block of 2 words, 32 bytes after the start of this block or slot array: Note
                96  32 00 00 00              All[0].Cents: 50
               100  00 00 00 00              padding
               104  00 00 00 00 00 00 00 00  All[2].Serial: null
               112  05 00 00 00              All[2].Value: 5
               116  00 00 00 00              padding

            """.ReplaceLineEndings("\n"),
            BufferedMessage.Explain(Source.ToMessageArray(), Purse.BufferedBlock.Schema));
    }

    [Fact]
    public void A_root_and_an_unknown_case_are_explained()
    {
        Generation3.IEvent merged = new Generation3.Merged();
        Assert.Equal(
            """
                 0  01 00 01 00 18 00 00 00  BufferedMessages.Runtime.Tests.Unions.Generation1.IEvent: root block of 1 words, version 1, flags 0, 24 bytes in all
                 8  01 00 04 00 08 00 00 00  case 4, a block of 1 words, 8 bytes after the start of this block or slot array
                16  00 00 00 00 00 00 00 00  the block of a case that the schema does not have

            """.ReplaceLineEndings("\n"),
            BufferedMessage.Explain(merged.ToMessageArray(), IEvent.BufferedBlock.Schema));
    }

    // The payload behind the first slot of the root block lies eight bytes further on.
    private static byte[] Moved(byte[] message)
    {
        var block = 8 + (message[0] * 8);
        byte[] moved = [.. message[..block], .. new byte[8], .. message[block..]];
        moved[4] += 8;
        moved[12] += 8;
        return moved;
    }

    private static void Copy(byte[] bytes)
    {
        try
        {
            _ = new DrawingBufferedMessage(bytes).ToDrawing();
        }
        catch (UnknownCaseException)
        {
            // A changed number is the case of a newer program.
        }
    }
}
