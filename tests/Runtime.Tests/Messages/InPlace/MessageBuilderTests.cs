namespace BufferedMessages.Runtime.Tests.Messages;

public class MessageBuilderTests
{
    private const byte Untouched = 0xEE;

    [Fact]
    public void A_message_written_in_place_has_the_bytes_of_the_object()
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);

        Parcel.WriteFull(builder.Message);

        Assert.Equal(Parcel.Full().ToMessageArray(), destination[..builder.Finish()]);
    }

    [Fact]
    public void Members_that_are_not_written_are_zero_or_null()
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);

        Assert.Equal(new Parcel().ToMessageArray(), destination[..builder.Finish()]);
    }

    [Fact]
    public void Bytes_in_the_padding_of_a_struct_do_not_reach_the_message()
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
        var parcel = builder.Message;
        parcel.Gap = Gap.Dirty(8, 9);
        Assert.Equal(new Parcel { Gap = new Gap { First = 8, Second = 9 } }.ToMessageArray(), destination[..builder.Finish()]);
    }

    [Fact]
    public void Empty_is_not_null()
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
        var parcel = builder.Message;
        parcel.WriteNote("");
        Assert.Equal(0, parcel.WritePhoto(0).Length);
        Assert.Equal(0, parcel.WriteRoute(0).Length);
        parcel.WriteFlags([]);
        Assert.Equal(0, parcel.WriteStamps(0).Count);
        Assert.Equal(0, parcel.WriteNames(0).Count);

        var expected = new Parcel { Note = "", Photo = [], Route = [], Flags = [], Stamps = [], Names = [] };
        Assert.Equal(expected.ToMessageArray(), destination[..builder.Finish()]);
    }

    [Fact]
    public void Null_is_left_out()
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
        var parcel = builder.Message;
        parcel.Price = 1m;
        parcel.Price = null;
        parcel.WriteNote(null);
        parcel.WritePhoto((byte[]?)null);
        parcel.WriteStamp(null);
        parcel.WriteRoute((int[]?)null);
        parcel.WriteCounts(null);

        Assert.Equal(new Parcel().ToMessageArray(), destination[..builder.Finish()]);
    }

    [Theory]
    [InlineData(7)]
    [InlineData(8)]
    public void The_bytes_of_a_binary_can_be_written_after_it_was_appended(int length)
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
        var photo = builder.Message.WritePhoto(length);
        var route = builder.Message.WriteRoute(3);

        photo.Fill(5);
        route.Fill(6);

        var expected = new Parcel { Photo = [.. Enumerable.Repeat((byte)5, length)], Route = [6, 6, 6] };
        Assert.Equal(expected.ToMessageArray(), destination[..builder.Finish()]);
    }

    [Fact]
    public void A_negative_count_is_refused_and_the_message_goes_on()
    {
        var destination = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
        var parcel = builder.Message;
        AssertNegative(parcel, static parcel => parcel.WritePhoto(-1));
        AssertNegative(parcel, static parcel => parcel.WriteRoute(-1));
        AssertNegative(parcel, static parcel => parcel.WriteStamps(-1));
        AssertNegative(parcel, static parcel => parcel.WriteNames(-1));
        parcel.WriteNote("a");

        Assert.Equal(new Parcel { Note = "a" }.ToMessageArray(), destination[..builder.Finish()]);

        static void AssertNegative(ParcelBufferedMessageWriter parcel, Action<ParcelBufferedMessageWriter> append)
        {
            try
            {
                append(parcel);
            }
            catch (ArgumentOutOfRangeException)
            {
                return;
            }

            Assert.Fail("A negative count was taken.");
        }
    }

    [Fact]
    public void A_member_appended_after_a_later_one_is_refused_by_name()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        builder.Message.WriteRoute([1]);

        var refusal = Refusal(builder.Message, static parcel => parcel.WriteNote("too late"));

        Assert.Contains("WriteNote", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_member_appended_twice_is_refused()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        builder.Message.WriteNote("first");

        Refusal(builder.Message, static parcel => parcel.WriteNote("second"));
    }

    [Fact]
    public void A_nested_message_is_closed_when_the_one_around_it_goes_on()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        var stamp = builder.Message.WriteStamp();
        builder.Message.WriteRoute([1]);
        stamp.Value = 4;

        Refusal(builder.Message, static parcel => parcel.Stamp.WriteMotive("too late"));
        Assert.Equal(4, builder.Message.Stamp.Value);
    }

    [Fact]
    public void An_element_is_closed_when_a_later_one_has_a_payload()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        builder.Message.WriteStamps(2)[1].WriteMotive("second");

        Refusal(builder.Message, static parcel => parcel.Stamps[0].WriteMotive("first"));
    }

    [Fact]
    public void A_nested_message_of_an_earlier_member_is_closed_when_a_later_one_is_written()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        builder.Message.WriteStamp();
        builder.Message.WriteStamps(1)[0].WriteMotive("of the list");

        Refusal(builder.Message, static parcel => parcel.Stamp.WriteMotive("too late"));
    }

    [Fact]
    public void Every_destination_that_is_too_small_is_refused_and_nothing_after_it_is_written()
    {
        var size = Parcel.Full().CalculateSize();
        for (var length = 0; length < size; length++)
        {
            var destination = NewDestination(size + 64);
            Assert.Throws<ArgumentException>(() => Write(destination.AsSpan(0, length)));
            Assert.All(destination[length..], static b => Assert.Equal(Untouched, b));
        }

        Assert.Equal(size, Write(NewDestination(size)));

        static int Write(Span<byte> destination)
        {
            using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
            Parcel.WriteFull(builder.Message);
            return builder.Finish();
        }
    }

    [Fact]
    public void A_message_whose_append_failed_is_not_finished()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(MessageBuilder<ParcelBufferedMessageWriter>.MinMessageBytes));
        try
        {
            builder.Message.WriteNote("does not fit");
            Assert.Fail("It did fit.");
        }
        catch (ArgumentException)
        {
        }

        Refusal(builder.Message, static parcel => parcel.WriteRoute([1]));
        AssertRefused(builder);
    }

    [Fact]
    public void Text_that_is_not_text_is_refused()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        var caught = 0;
        try
        {
            builder.Message.WriteNote([0xC3]);
        }
        catch (ArgumentException)
        {
            caught++;
        }

        using var second = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        try
        {
            second.Message.WriteNote("half of a pair: \uD800");
        }
        catch (ArgumentException)
        {
            caught++;
        }

        Assert.Equal(2, caught);
    }

    [Fact]
    public void Writers_of_a_finished_message_are_refused()
    {
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(NewDestination(2000));
        var parcel = builder.Message;
        builder.Finish();

        Refusal(parcel, static parcel => parcel.Id = 5);
        Refusal(parcel, static parcel => parcel.WriteNote("late"));
        AssertRefused(builder);
    }

    [Fact]
    public void Two_messages_can_be_written_at_once()
    {
        var first = NewDestination(2000);
        var second = NewDestination(2000);
        using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(first);
        builder.Message.WriteNote("the first of two");
        using var other = new MessageBuilder<ParcelBufferedMessageWriter>(second);
        other.Message.WriteNote("the second of two");
        builder.Message.WriteRoute([1]);
        other.Message.WriteRoute([2]);

        Assert.Equal(new Parcel { Note = "the first of two", Route = [1] }.ToMessageArray(), first[..builder.Finish()]);
        Assert.Equal(new Parcel { Note = "the second of two", Route = [2] }.ToMessageArray(), second[..other.Finish()]);
    }

    [Fact]
    public void Messages_nest_64_deep_and_no_deeper()
    {
        using var builder = new MessageBuilder<StampBufferedMessageWriter>(NewDestination(10_000));
        var stamp = builder.Message;
        for (var depth = 2; depth <= 64; depth++)
        {
            stamp = stamp.WriteInner();
        }

        var isRefused = false;
        try
        {
            stamp.WriteInner();
        }
        catch (MessageTooDeepException)
        {
            isRefused = true;
        }

        Assert.True(isRefused);
        stamp.WriteMotive("the innermost text");
        builder.Finish();
    }

    [Fact]
    public void Writing_in_place_allocates_nothing()
    {
        var destination = NewDestination(2000);
        Write(destination);
        Allocations.AssertNone(() =>
        {
            for (var i = 0; i < 100; i++)
            {
                Write(destination);
            }
        });

        static void Write(Span<byte> destination)
        {
            using var builder = new MessageBuilder<ParcelBufferedMessageWriter>(destination);
            var parcel = builder.Message;
            parcel.Id = 4;
            parcel.WriteNote("a note of some length");
            parcel.WriteStamps(1)[0].WriteMotive("a motive of some length");
            parcel.WriteNames(1).Write(0, "a name of some length"u8);
            builder.Finish();
        }
    }

    [Fact]
    public void The_default_value_says_that_it_began_no_message()
    {
        var thrown = Assert.Throws<InvalidOperationException>(static () =>
        {
            using var builder = default(MessageBuilder<ParcelBufferedMessageWriter>);
            builder.Finish();
        });
        Assert.Contains("default value", thrown.Message, StringComparison.Ordinal);
    }

    private static byte[] NewDestination(int bytes)
    {
        var destination = new byte[bytes];
        Array.Fill(destination, Untouched);
        return destination;
    }

    private static InvalidOperationException Refusal(ParcelBufferedMessageWriter parcel, WriteAction write)
    {
        try
        {
            write(parcel);
        }
        catch (InvalidOperationException refusal)
        {
            return refusal;
        }

        throw new Xunit.Sdk.XunitException("It was not refused.");
    }

    private static void AssertRefused(MessageBuilder<ParcelBufferedMessageWriter> builder)
    {
        var isRefused = false;
        try
        {
            builder.Finish();
        }
        catch (InvalidOperationException)
        {
            isRefused = true;
        }

        Assert.True(isRefused);
    }

    private delegate void WriteAction(ParcelBufferedMessageWriter parcel);
}
