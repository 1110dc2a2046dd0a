namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Inner
{
    public string? Text { get; set; }
    public int Number { get; set; }
}

[BufferedMessageSource]
internal partial class Outer
{
    public byte A { get; set; }
    public Inner? Null { get; set; }
    public Inner? Child { get; set; }
    public string? After { get; set; }
    public Inner? Second { get; set; }
}

[BufferedMessageSource]
internal partial class MessageLists
{
    public List<Inner>? All { get; set; }
    public List<Inner?>? Some { get; set; }
    public List<Inner>? Null { get; set; }
    public Inner[]? Empty { get; set; }
    public List<List<Inner>>? Grid { get; set; }
}

public class GoldenNestedTests
{
    [Fact]
    public void Nested_messages_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            05 00 01 00 68 00 00 00 ; 5 words, 104 bytes
            aa 00 00 00 00 00 00 00 ; A, hole
            00 00 00 00 00 00 00 00 ; Null
            02 00 00 00 28 00 00 00 ; Child: 2 words at 40
            09 00 00 00 44 00 00 00 ; After: 9 bytes at 68
            02 00 00 00 50 00 00 00 ; Second: 2 words at 80
            0c 00 00 00 10 00 00 00 ; Child.Text: 12 bytes, 16 from the start of Child
            ff ff ff ff 00 00 00 00 ; Child.Number
            74 77 65 6c 76 65 20 62 ; Child.Text
            79 74 65 73 62 65 68 69 ; Child.Text, After
            6e 64 20 69 74 00 00 00 ; After, gap
            00 00 00 00 00 00 00 00 ; Second.Text
            07 00 00 00 00 00 00 00 ; Second.Number
            """);
        var source = new Outer
        {
            A = 0xAA,
            Child = new Inner { Text = "twelve bytes", Number = -1 },
            After = "behind it",
            Second = new Inner { Number = 7 },
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new OuterBufferedMessage(bytes);
        Assert.Equal(0xAA, view.A);
        Assert.True(view.Null.IsNull);
        Assert.False(view.Child.IsNull);
        Assert.True(view.Child.Text == "twelve bytes");
        Assert.Equal(-1, view.Child.Number);
        Assert.True(view.After == "behind it");
        Assert.True(view.Second.Text.IsNull);
        Assert.Equal(7, view.Second.Number);
        GoldenMessage.AssertWrites(view.ToOuter(), bytes);
    }

    [Fact]
    public void The_members_of_a_null_message_are_null_and_zero()
    {
        var view = new OuterBufferedMessage(new Outer().ToMessageArray());
        Assert.True(view.Child.IsNull);
        Assert.True(view.Child.Text.IsNull);
        Assert.Equal(0, view.Child.Number);
    }

    [Fact]
    public void Lists_of_messages_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            05 00 01 00 b8 00 00 00 ; 5 words, 184 bytes
            02 00 00 00 28 00 00 00 ; All: 2 elements at 40
            02 00 00 00 60 00 00 00 ; Some: 2 elements at 96
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 80 ; Empty
            01 00 00 00 90 00 00 00 ; Grid: 1 element at 144
            02 00 00 00 00 00 00 00 ; All: blocks of 2 words, no bitmap
            61 00 00 00 00 00 00 81 ; All[0].Text
            01 00 00 00 00 00 00 00 ; All[0].Number
            0b 00 00 00 10 00 00 00 ; All[1].Text: 11 bytes, 16 from the start of All[1]
            02 00 00 00 00 00 00 00 ; All[1].Number
            6c 6f 6e 67 65 72 20 74 ; All[1].Text
            65 78 74 00 00 00 00 00 ; All[1].Text, gap
            02 00 01 00 00 00 00 00 ; Some: blocks of 2 words, a bitmap
            02 00 00 00 00 00 00 00 ; element 1 is there
            00 00 00 00 00 00 00 00 ; Some[0]: null
            00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 ; Some[1].Text
            03 00 00 00 00 00 00 00 ; Some[1].Number
            01 00 00 00 08 00 00 00 ; Grid[0]: 1 element, 8 from the start of the slot array
            02 00 00 00 00 00 00 00 ; Grid[0]: blocks of 2 words, no bitmap
            00 00 00 00 00 00 00 00 ; Grid[0][0].Text
            04 00 00 00 00 00 00 00 ; Grid[0][0].Number
            """);
        var source = new MessageLists
        {
            All = [new Inner { Text = "a", Number = 1 }, new Inner { Text = "longer text", Number = 2 }],
            Some = [null, new Inner { Number = 3 }],
            Empty = [],
            Grid = [[new Inner { Number = 4 }]],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new MessageListsBufferedMessage(bytes);
        Assert.Equal(2, view.All.Count);
        Assert.True(view.All[0].Text == "a");
        Assert.Equal(1, view.All[0].Number);
        Assert.True(view.All[1].Text == "longer text");
        Assert.Equal(2, view.All[1].Number);
        Assert.Equal(2, view.Some.Count);
        Assert.True(view.Some[0].IsNull);
        Assert.Equal(3, view.Some[1].Number);
        Assert.True(view.Null.IsNull);
        Assert.False(view.Empty.IsNull);
        Assert.Equal(0, view.Empty.Count);
        Assert.Equal(1, view.Grid.Count);
        Assert.Equal(4, view.Grid[0][0].Number);
        GoldenMessage.AssertWrites(view.ToMessageLists(), bytes);
    }
}
