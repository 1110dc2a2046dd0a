namespace BufferedMessages.Runtime.Tests.Messages;

public class EditTests
{
    [Fact]
    public void Members_of_fixed_size_are_changed_in_place()
    {
        var message = Parcel.Full().ToMessageArray();
        var parcel = BufferedMessage.Edit<ParcelBufferedMessageWriter>(message);

        parcel.Id = 100;
        parcel.Price = null;
        parcel.Gap = new Gap { First = 8, Second = 9 };
        parcel.IsLast = false;
        var stamp = parcel.Stamp;
        stamp.Value = 101;
        stamp = stamp.Inner;
        stamp.Value = 102;
        stamp = parcel.Stamps[1];
        stamp.Value = 103;

        var expected = Parcel.Full();
        expected.Id = 100;
        expected.Price = null;
        expected.Gap = new Gap { First = 8, Second = 9 };
        expected.IsLast = false;
        expected.Stamp!.Value = 101;
        expected.Stamp.Inner!.Value = 102;
        expected.Stamps![1].Value = 103;
        Assert.Equal(expected.ToMessageArray(), message);
    }

    [Fact]
    public void Bytes_in_the_padding_of_a_struct_do_not_reach_the_message()
    {
        var message = new Parcel().ToMessageArray();
        var parcel = BufferedMessage.Edit<ParcelBufferedMessageWriter>(message);
        parcel.Gap = Gap.Dirty(8, 9);
        Assert.Equal(new Parcel { Gap = new Gap { First = 8, Second = 9 } }.ToMessageArray(), message);
    }

    [Fact]
    public void A_value_that_was_null_can_be_set()
    {
        var message = new Parcel().ToMessageArray();

        var parcel = BufferedMessage.Edit<ParcelBufferedMessageWriter>(message);
        parcel.Price = 3m;

        Assert.Equal(new Parcel { Price = 3m }.ToMessageArray(), message);
    }

    [Fact]
    public void Nothing_can_be_appended_to_a_message_that_is_there()
    {
        var message = new Parcel().ToMessageArray();
        var isRefused = false;
        try
        {
            BufferedMessage.Edit<ParcelBufferedMessageWriter>(message).WriteNote("no room");
        }
        catch (InvalidOperationException refusal)
        {
            isRefused = refusal.Message.Contains("WriteNote", StringComparison.Ordinal);
        }

        Assert.True(isRefused);
        Assert.Equal(new Parcel().ToMessageArray(), message);
    }

    [Fact]
    public void A_nested_message_that_is_null_says_so_and_cannot_be_written()
    {
        var message = new Parcel().ToMessageArray();
        var stamp = BufferedMessage.Edit<ParcelBufferedMessageWriter>(message).Stamp;
        Assert.True(stamp.IsNull);

        var isRefused = false;
        try
        {
            stamp.Value = 5;
        }
        catch (InvalidOperationException)
        {
            isRefused = true;
        }

        Assert.True(isRefused);
    }

    [Theory]
    [InlineData(nameof(Parcel.Price))]
    [InlineData(nameof(Parcel.Gap))]
    public void A_member_that_the_writer_did_not_know_cannot_be_set(string member)
    {
        // A message whose type had one word of members, with bytes behind it that are not its own.
        byte[] bytes = [1, 0, 1, 0, 16, 0, 0, 0, 42, 0, 0, 0, 0, 0, 0, 0, .. Enumerable.Repeat<byte>(0xEE, 256)];
        var original = bytes.ToArray();

        Assert.Throws<InvalidOperationException>(() => Set(BufferedMessage.Edit<ParcelBufferedMessageWriter>(bytes), member));
        Assert.Equal(original, bytes);

        static void Set(ParcelBufferedMessageWriter parcel, string member)
        {
            if (member == nameof(Parcel.Price))
            {
                parcel.Price = 1m;
            }
            else
            {
                parcel.Gap = new Gap { Second = 1 };
            }
        }
    }

    [Fact]
    public void Hostile_bytes_are_never_written_outside_of_the_message()
    {
        var original = Parcel.Full().ToMessageArray();
        const int Margin = 64;
        for (var at = 0; at < original.Length; at++)
        {
            foreach (var change in new byte[] { 0x01, 0x80, 0xFF })
            {
                var memory = new byte[original.Length + (2 * Margin)];
                original.CopyTo(memory.AsSpan(Margin));
                memory[Margin + at] ^= change;
                Change(memory.AsSpan(Margin, original.Length));
                Assert.All(memory[..Margin], static b => Assert.Equal(0, b));
                Assert.All(memory[^Margin..], static b => Assert.Equal(0, b));
            }
        }

        static void Change(Span<byte> message)
        {
            try
            {
                var parcel = BufferedMessage.Edit<ParcelBufferedMessageWriter>(message);
                parcel.Id = -1;
                parcel.Gap = new Gap { First = 0xFF, Second = -1 };
                parcel.Price = 5m;
                var stamp = parcel.Stamp;
                stamp.Value = -1;
                stamp = stamp.Inner;
                stamp.Value = -1;
                for (var i = 0; i < parcel.Stamps.Count; i++)
                {
                    stamp = parcel.Stamps[i];
                    stamp.Value = -1;
                }
            }
            catch (Exception exception) when (exception is MalformedMessageException or InvalidOperationException)
            {
            }
        }
    }
}
