using BufferedMessages.Runtime.Tests.Messages;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A struct that no queue made says so, whichever member is used.</summary>
public class DefaultValueTests
{
    [Fact]
    public void A_default_claim_has_no_room()
    {
        Assert.Throws<ObjectDisposedException>(static () => _ = default(MessageClaim).Span);
        Assert.Throws<ObjectDisposedException>(static () => default(MessageClaim).Commit(0));
        default(MessageClaim).Dispose();
    }

    [Fact]
    public void A_default_claim_of_a_writer_has_no_room()
    {
        Assert.Throws<InvalidOperationException>(static () => default(MessageClaim<ParcelBufferedMessageWriter>).Message.WriteNote("note"));
        Assert.Throws<InvalidOperationException>(static () => default(MessageClaim<ParcelBufferedMessageWriter>).Commit());
        default(MessageClaim<ParcelBufferedMessageWriter>).Dispose();
    }

    [Fact]
    public void A_default_batch_has_no_room()
    {
        Assert.Throws<ObjectDisposedException>(static () => default(MessageBatch).TryAdd("message"u8));
        Assert.Throws<ObjectDisposedException>(static () => default(MessageBatch).TryClaim(1, out _));
        Assert.Throws<ObjectDisposedException>(static () => default(MessageBatch).Add(0));
        Assert.Throws<ObjectDisposedException>(static () => default(MessageBatch).Publish());
        default(MessageBatch).Dispose();
    }

    [Fact]
    public void A_default_loop_has_no_messages()
    {
        Assert.Throws<ObjectDisposedException>(static () =>
        {
            foreach (var _ in default(DeliveryLoop<RawMessage>))
            {
            }
        });
        Assert.Throws<ObjectDisposedException>(static () => default(DeliveryLoop<RawMessage>).MoveNext());
        Assert.Throws<ObjectDisposedException>(static () => default(DeliveryLoop<RawMessage>).Current);
        default(DeliveryLoop<RawMessage>).Dispose();
    }

    [Fact]
    public void A_default_value_message_has_no_value()
    {
        Assert.Throws<InvalidOperationException>(static () => default(ValueMessage<int>).Value);
        Assert.Throws<InvalidOperationException>(static () => default(ValueMessage<int>).ToString());
    }

    [Fact]
    public void A_default_delivery_holds_no_message()
    {
        Assert.Throws<ObjectDisposedException>(static () => default(Delivery<RawMessage>).Message.Bytes.Length);
        Assert.Throws<ObjectDisposedException>(static () => default(Delivery<RawMessage>).Properties.IsEmpty);
        Assert.Throws<ObjectDisposedException>(static () => default(Delivery<RawMessage>).Commit());
        default(Delivery<RawMessage>).Dispose();
        Assert.True(default(RawMessage).Bytes.IsEmpty);
        Assert.Equal("", default(RawMessage).ToString());
        Assert.True(default(DeliveryProperties).IsEmpty);
        Assert.Empty(default(DeliveryProperties).ToProperties().Headers);
    }

    [Fact]
    public void A_default_view_and_writer_are_null_or_empty()
    {
        Assert.Equal(0, default(ParcelBufferedMessage).Id);
        _ = default(ParcelBufferedMessage).ToString();
        Assert.True(default(ParcelBufferedMessage).Stamps.IsNull);
        Assert.Equal(0, default(ParcelBufferedMessage).Names.Count);
        Assert.Throws<InvalidOperationException>(static () => default(ParcelBufferedMessageWriter).Id = 1);
        Assert.Throws<InvalidOperationException>(static () => default(MessageBuilder<ParcelBufferedMessageWriter>).Message.WriteNote("note"));
        Assert.Equal("null", default(BufferedMessageList<ParcelBufferedMessage>).ToString());
    }
}
