using System.Buffers.Binary;
using BufferedMessages.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Every rule that a verification checks is broken once in the worked example of docs/format/messages.md.</summary>
public class VerifyTests
{
    [Theory]
    [InlineData(2, 2, "", 0, "version")]
    [InlineData(3, 1, "", 0, "flags")]
    [InlineData(0, 0, "", 0, "root block")]
    [InlineData(4, 0xD8, "", 0, "size")]
    [InlineData(4, 0xC8, "Sales", 48, "beyond the end")]
    [InlineData(15, 0x70, "Title", 8, "beyond the end")]
    [InlineData(8, 7, "Title", 8, "not stored in its slot")]
    [InlineData(18, 2, "Live", 18, "bool")]
    [InlineData(19, 0, "Rating", 30, "null is not zero")]
    [InlineData(38, 1, "Genres", 32, "beyond the end")]
    [InlineData(36, 0x38, "Genres", 32, "order")]
    [InlineData(77, 1, "Genres[0]", 72, "after an inline")]
    [InlineData(79, 0x88, "Genres[0]", 72, "longer than 7")]
    [InlineData(72, 0xFF, "Genres[0]", 72, "UTF-8")]
    [InlineData(87, 0x40, "Genres[1]", 80, "not stored in its slot")]
    [InlineData(96, 0xC0, "Genres[2]", 96, "UTF-8")]
    [InlineData(44, 0x60, "Tracks", 40, "order")]
    [InlineData(112, 0, "Tracks", 112, "empty blocks")]
    [InlineData(114, 2, "Tracks", 112, "unknown flags")]
    [InlineData(116, 1, "Tracks", 112, "unknown flags")]
    [InlineData(120, 0x0D, "Tracks", 120, "after the presence bits")]
    [InlineData(121, 1, "Tracks", 121, "after the presence bits")]
    [InlineData(120, 7, "Tracks", 120, "without a null")]
    [InlineData(151, 1, "Tracks[1]", 151, "null message")]
    [InlineData(160, 7, "Tracks[2].Title", 160, "not stored in its slot")]
    [InlineData(164, 0x08, "Tracks[2].Title", 160, "order")]
    [InlineData(180, 0xFF, "Tracks[2].Title", 176, "UTF-8")]
    [InlineData(48, 0, "Sales", 48, "empty list")]
    [InlineData(52, 0xB9, "Sales", 48, "aligned")]
    public void A_broken_rule_is_named(int position, byte value, string path, int offset, string rule)
    {
        var message = WorkedExampleTests.Example.ToMessageArray();
        message[position] = value;
        AssertBroken<AlbumBufferedMessage>(message, path, offset, rule);
    }

    [Theory]
    [InlineData(19, 3, "", 19, "belong to no member")]
    [InlineData(71, 1, "Genres", 71, "between payloads")]
    [InlineData(107, 1, "Tracks", 107, "between payloads")]
    [InlineData(140, 1, "Tracks[0]", 140, "belong to no member")]
    [InlineData(207, 1, "", 207, "after the last payload")]
    [InlineData(52, 0xBC, "Sales", 48, "does not follow")]
    public void Bytes_that_no_member_owns_must_be_zero_in_an_exact_message_only(int position, byte value, string path, int offset, string rule)
    {
        var message = WorkedExampleTests.Example.ToMessageArray();
        message[position] = value;
        Assert.True(AlbumBufferedMessage.Verify(message, out var error), error.ToString());
        AssertBroken<AlbumBufferedMessage>(message, path, offset, rule, exact: true);
    }

    [Fact]
    public void A_message_of_an_older_writer_is_valid_but_not_exact()
    {
        var message = new TrackWithoutSeconds { Title = "So What" }.ToMessageArray();
        Assert.True(TrackBufferedMessage.Verify(message, out var error), error.ToString());
        AssertBroken<TrackBufferedMessage>(message, "", 8, "size that its type has", exact: true);
    }

    [Fact]
    public void Bytes_after_the_message_are_ignored()
    {
        byte[] message = [.. WorkedExampleTests.Example.ToMessageArray(), 1, 2, 3];
        Assert.True(AlbumBufferedMessage.Verify(message, out var error, exact: true), error.ToString());
    }

    [Fact]
    public void A_tail_that_is_longer_than_a_word_is_not_exact()
    {
        byte[] message = [.. WorkedExampleTests.Example.ToMessageArray(), 0, 0, 0, 0, 0, 0, 0, 0];
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(4), message.Length);
        Assert.True(AlbumBufferedMessage.Verify(message, out var error), error.ToString());
        AssertBroken<AlbumBufferedMessage>(message, "", 204, "after the last payload", exact: true);
    }

    [Theory]
    [InlineData(ValueListSlots.Shorts)]
    [InlineData(ValueListSlots.Flags)]
    [InlineData(ValueListSlots.Prices)]
    public void A_list_of_four_billion_values_is_beyond_the_end(int slot) =>
        AssertHugeCount<ValueListsBufferedMessage>(new ValueLists { Shorts = [1], Flags = [true], Prices = [1m] }.ToMessageArray(), slot);

    [Fact]
    public void A_list_of_four_billion_slots_is_beyond_the_end() =>
        AssertHugeCount<AlbumBufferedMessage>(WorkedExampleTests.Example.ToMessageArray(), 32);

    [Fact]
    public void A_list_of_four_billion_messages_is_beyond_the_end() =>
        AssertHugeCount<AlbumBufferedMessage>(WorkedExampleTests.Example.ToMessageArray(), 40);

    [Fact]
    public void A_nested_message_with_an_empty_block_is_named()
    {
        var message = new Outer { Child = new Inner() }.ToMessageArray();
        message[24] = 0;
        AssertBroken<OuterBufferedMessage>(message, "Child", 24, "empty block");
    }

    [Fact]
    public void A_struct_with_bytes_in_its_padding_is_named()
    {
        var message = new MoreValueLists { Structs = [default, default] }.ToMessageArray();
        var first = message.Length - (2 * System.Runtime.CompilerServices.Unsafe.SizeOf<Padded>());
        message[first + System.Runtime.CompilerServices.Unsafe.SizeOf<Padded>() + 1] = 1;
        Assert.False(MoreValueListsBufferedMessage.Verify(message, out var error));
        Assert.Equal(("Structs[1]", "padding in a struct is not zero"), (error.Path, error.Rule));
    }

    [Fact]
    public void A_value_that_its_type_cannot_hold_is_named_with_its_index()
    {
        var message = new ValueLists { Prices = [1m, 2m, 3m] }.ToMessageArray();
        message[^14] = 29;
        Assert.False(ValueListsBufferedMessage.Verify(message, out var error));
        Assert.Equal(new MessageError("Prices[2]", message.Length - 16, "a value is outside of the range of Decimal"), error);
    }

    [Fact]
    public void A_valid_message_has_no_error()
    {
        Assert.True(AlbumBufferedMessage.Verify(WorkedExampleTests.Example.ToMessageArray(), out var error));
        Assert.Equal(default, error);
    }

    [Fact]
    public void An_error_reads_as_one_line() =>
        Assert.Equal("Orders[3].Sku, byte 120: a string is not UTF-8", new MessageError("Orders[3].Sku", 120, "a string is not UTF-8").ToString());

    [Fact]
    public void A_verified_view_reads_the_message() =>
        Assert.Equal(1959, AlbumBufferedMessage.CreateVerified(WorkedExampleTests.Example.ToMessageArray(), exact: true).Year);

    [Fact]
    public void A_view_of_a_broken_message_is_refused_with_path_and_position()
    {
        var message = WorkedExampleTests.Example.ToMessageArray();
        message[180] = 0xFF;
        var exception = Assert.Throws<MalformedMessageException>(() => BufferedMessage.CreateVerified<AlbumBufferedMessage>(message).Year);
        Assert.Equal("Tracks[2].Title", exception.Error?.Path);
        Assert.Contains("Tracks[2].Title, byte 176: a string is not UTF-8", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Generic_code_verifies_by_the_type_parameter()
    {
        var message = WorkedExampleTests.Example.ToMessageArray();

        Assert.Equal((true, false), Checked<AlbumBufferedMessage>(message));
        Assert.Equal((false, true), Checked<AlbumBufferedMessage>(message.AsSpan(0, 8).ToArray()));
    }

    private static (bool IsValid, bool IsRefused) Checked<TView>(byte[] message)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var isValid = BufferedMessage.Verify<TView>(message, out _);
        try
        {
            _ = BufferedMessage.CreateVerified<TView>(message);
            return (isValid, false);
        }
        catch (MalformedMessageException)
        {
            return (isValid, true);
        }
    }

    private static void AssertHugeCount<TView>(byte[] message, int slot)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(slot), uint.MaxValue);
        Assert.False(BufferedMessage.Verify<TView>(message, out var error));
        Assert.Equal((slot, WireRule.Outside), (error.Offset, error.Rule));
    }

    private static void AssertBroken<TView>(byte[] message, string path, int offset, string rule, bool exact = false)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        Assert.False(BufferedMessage.Verify<TView>(message, out var error, exact));
        Assert.False(BufferedMessage.Verify(message, TView.Schema, out var errorBySchema, exact));
        Assert.Equal(error, errorBySchema);
        Assert.Equal((path, offset), (error.Path, error.Offset));
        Assert.Contains(rule, error.Rule, StringComparison.Ordinal);
    }

    private static class ValueListSlots
    {
        public const int Shorts = 8 + 16;
        public const int Flags = 8 + 32;
        public const int Prices = 8 + 40;
    }
}

[BufferedMessageSource]
internal partial class TrackWithoutSeconds
{
    public string? Title { get; set; }
}
