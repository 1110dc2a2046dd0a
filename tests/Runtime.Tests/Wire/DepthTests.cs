using System.Buffers.Binary;

namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Node
{
    public Node? Next { get; set; }
    public int Number { get; set; }
    public List<Node?>? Children { get; set; }
}

public class DepthTests
{
    private const int MaxDepth = 64;
    private const int NodeBytes = 24;
    private const int ChildrenOffset = 16;

    [Fact]
    public void Messages_nested_64_deep_round_trip()
    {
        var bytes = Chain(MaxDepth).ToMessageArray();
        Assert.Equal(MaxDepth, DepthOf(new NodeBufferedMessage(bytes).ToNode()));
    }

    [Fact]
    public void Lists_of_messages_nested_64_deep_round_trip()
    {
        var bytes = ChainOfLists(MaxDepth).ToMessageArray();
        Assert.Equal(MaxDepth, DepthOf(new NodeBufferedMessage(bytes).ToNode()));
    }

    [Fact]
    public void Messages_nested_65_deep_are_refused() => AssertTooDeep(Chain(MaxDepth + 1));

    [Fact]
    public void Lists_of_messages_nested_65_deep_are_refused() => AssertTooDeep(ChainOfLists(MaxDepth + 1));

    [Fact]
    public void An_object_that_contains_itself_is_refused()
    {
        var node = new Node();
        node.Next = node;
        AssertTooDeep(node);
    }

    [Fact]
    public void A_list_that_contains_its_owner_is_refused()
    {
        var node = new Node();
        node.Children = [null, node, node];
        AssertTooDeep(node);
    }

    [Fact]
    public void A_copy_of_a_hostile_chain_ends_as_malformed()
    {
        var bytes = HostileChain(100_000, isList: false);
        Assert.Throws<MalformedMessageException>(() => new NodeBufferedMessage(bytes).ToNode());
    }

    [Fact]
    public void A_copy_of_hostile_lists_ends_as_malformed()
    {
        var bytes = HostileChain(100_000, isList: true);
        Assert.Throws<MalformedMessageException>(() => new NodeBufferedMessage(bytes).ToNode());
    }

    [Fact]
    public void A_copy_of_a_nested_view_counts_from_that_view()
    {
        var view = new NodeBufferedMessage(HostileChain(MaxDepth + 1, isList: false));
        Assert.Equal(MaxDepth, DepthOf(view.Next.ToNode()));
    }

    [Theory]
    [InlineData(false, "Next")]
    [InlineData(true, "Children[0]")]
    public void A_verification_ends_at_the_limit(bool isList, string step)
    {
        Assert.True(NodeBufferedMessage.Verify(HostileChain(MaxDepth, isList), out var error), error.ToString());
        Assert.False(NodeBufferedMessage.Verify(HostileChain(100_000, isList), out error));
        Assert.StartsWith(string.Join('.', Enumerable.Repeat(step, MaxDepth - 1)), error.Path, StringComparison.Ordinal);
        Assert.Contains("64 deep", error.Rule, StringComparison.Ordinal);
    }

    private static void AssertTooDeep(Node node)
    {
        var destination = new byte[64 * 1024];
        Assert.Throws<MessageTooDeepException>(() => node.CalculateSize());
        Assert.Throws<MessageTooDeepException>(() => node.Write(destination));
    }

    private static Node Chain(int depth)
    {
        var node = new Node();
        for (var i = 1; i < depth; i++)
        {
            node = new Node { Next = node };
        }

        return node;
    }

    private static Node ChainOfLists(int depth)
    {
        var node = new Node();
        for (var i = 1; i < depth; i++)
        {
            node = new Node { Children = [node] };
        }

        return node;
    }

    private static int DepthOf(Node? node)
    {
        var depth = 0;
        while (node is not null)
        {
            depth++;
            node = node.Next ?? node.Children?[0];
        }

        return depth;
    }

    // Blocks of three words, each pointing to the next one behind it; a list has its header in between.
    private static byte[] HostileChain(int depth, bool isList)
    {
        var header = isList ? 8 : 0;
        var bytes = new byte[8 + NodeBytes + ((depth - 1) * (NodeBytes + header))];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, NodeBytes / 8);
        bytes[2] = 1;
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), bytes.Length);
        for (var i = 0; i < depth - 1; i++)
        {
            var block = bytes.AsSpan(8 + (i * (NodeBytes + header)));
            var slot = isList ? block[ChildrenOffset..] : block;
            BinaryPrimitives.WriteInt32LittleEndian(slot, isList ? 1 : NodeBytes / 8);
            BinaryPrimitives.WriteInt32LittleEndian(slot[4..], NodeBytes);
            if (isList)
            {
                block[NodeBytes] = NodeBytes / 8;
            }
        }

        return bytes;
    }
}
