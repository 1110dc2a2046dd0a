using System.Buffers.Binary;

namespace BufferedMessages.Runtime.Tests.Unions;

/// <summary>Damaged unions are malformed; no chain of them is followed without end.</summary>
public class UnionBytesTests
{
    private const int Header = 8;
    private const int BlockWords = Header;
    private const int CaseNumber = Header + 2;
    private const int Offset = Header + 4;
    private const int MaxDepth = 64;

    [Theory]
    [InlineData(CaseNumber, 0)] // A case without a number.
    [InlineData(BlockWords, 0)] // A block without a word.
    [InlineData(BlockWords, 100)] // A block that is larger than the message.
    [InlineData(Offset, 0)] // A case in its own slot.
    [InlineData(Offset, 1000)] // A case behind the message.
    [InlineData(Offset + 2, 0x8000)] // An empty union.
    public void A_damaged_slot_is_malformed(int position, ushort value)
    {
        IMoney source = new Coin { Cents = 1 };
        var bytes = source.ToMessageArray();
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(position), value);

        Assert.Throws<MalformedMessageException>(() => new MoneyBufferedMessage(bytes).Case);
        Assert.Throws<MalformedMessageException>(() => BufferedMessage.Create<MoneyBufferedMessage>(bytes).Case);
    }

    [Fact]
    public void The_slot_of_a_message_is_no_union()
    {
        var bytes = new Purse { First = new Coin() }.ToMessageArray();
        bytes.AsSpan(Header + 18, 2).Clear();

        Assert.Throws<MalformedMessageException>(() => new PurseBufferedMessage(bytes).First.Case);
        Assert.Throws<MalformedMessageException>(() => new PurseBufferedMessage(bytes).ToPurse());
    }

    [Fact]
    public void The_slot_of_a_union_is_no_message()
    {
        var bytes = new BufferedMessages.Runtime.Tests.Wire.Outer { Child = new() }.ToMessageArray();
        bytes[Header + 18] = 1;

        Assert.Throws<MalformedMessageException>(() => new BufferedMessages.Runtime.Tests.Wire.OuterBufferedMessage(bytes).Child.Number);
    }

    [Fact]
    public void A_root_that_is_null_reads_as_null()
    {
        byte[] bytes = [1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

        Assert.True(new MoneyBufferedMessage(bytes).IsNull);
    }

    [Fact]
    public void Cases_nested_64_deep_round_trip() =>
        Assert.Equal(MaxDepth - 1, DepthOf(new ShapeBufferedMessage(Chain(MaxDepth - 1).ToMessageArray()).ToShape()));

    [Fact]
    public void Cases_nested_65_deep_are_refused()
    {
        var destination = new byte[10_000];
        Assert.Throws<MessageTooDeepException>(() => Chain(MaxDepth).CalculateSize());
        Assert.Throws<MessageTooDeepException>(() => Chain(MaxDepth).Write(destination));
    }

    [Fact]
    public void A_copy_of_cases_nested_too_deep_is_malformed()
    {
        // One more group between the root and the group that it holds.
        var chain = Chain(MaxDepth - 1).ToMessageArray();
        var blockBytes = chain[Header] * 8;
        var deeper = new byte[chain.Length + blockBytes];
        chain.AsSpan(0, Header + 8).CopyTo(deeper);
        chain.AsSpan(Header + 8, blockBytes).CopyTo(deeper.AsSpan(Header + 8));
        chain.AsSpan(Header + 8).CopyTo(deeper.AsSpan(Header + 8 + blockBytes));
        BinaryPrimitives.WriteInt32LittleEndian(deeper.AsSpan(4), deeper.Length);

        Assert.Throws<MalformedMessageException>(() => new ShapeBufferedMessage(deeper).ToShape());
        Assert.True(new ShapeBufferedMessage(deeper).AsGroup().Frame.AsGroup().Frame.TryGetGroup(out _));
    }

    [Fact]
    public void An_object_that_contains_itself_is_refused()
    {
        var shapes = new List<Shape?>();
        shapes.Add(new Group { Shapes = shapes });

        Assert.Throws<MessageTooDeepException>(() => new Drawing { Layers = shapes }.CalculateSize());
    }

    // The root block around them is one more.
    private static Shape Chain(int length)
    {
        Shape shape = new Group();
        for (var i = 1; i < length; i++)
        {
            shape = new Group { Frame = shape };
        }

        return shape;
    }

    private static int DepthOf(Shape? shape)
    {
        var depth = 0;
        for (; shape is Group group; shape = group.Frame)
        {
            depth++;
        }

        return depth;
    }
}
