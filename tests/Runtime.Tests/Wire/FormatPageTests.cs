using System.Buffers.Binary;
using System.Globalization;
using BufferedMessages.Runtime.Tests.Unions;
using BufferedMessages.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Tens
{
    public Dictionary<byte, byte>? Of { get; set; }
}

[BufferedMessageSource]
internal partial class Pairs
{
    public List<byte?>? Bytes { get; set; }

    public List<long?>? Longs { get; set; }

    public List<int>? Numbers { get; set; }

    public string? Text { get; set; }
}

public enum DoorState : byte
{
    Open,
    Closed,
}

public enum RouteSide : short
{
    Left = -1,
    Right = 1,
}

public struct RouteStop
{
    public byte Number;
    public RouteSide Side;
}

[System.Runtime.CompilerServices.InlineArray(2)]
public struct RouteStops
{
    private RouteStop _first;
}

public struct DoorRoute
{
    public int Length;
    public RouteStops Stops;
}

public struct DoorPoint
{
    public float X { get; set; }

    public float Y { get; set; }
}

public struct DoorPlace
{
    public int Floor;
    public DoorPoint At;
}

[BufferedMessageSource]
internal partial class Door
{
    public DoorState State { get; set; }

    public DoorRoute Route { get; set; }

    public Dictionary<DoorState, List<RouteSide?>>? SidesByState { get; set; }

    public DoorPlace Place { get; set; }
}

/// <summary>What docs/format says beside its worked example, one test for each statement that no other test holds.</summary>
public class FormatPageTests
{
    [Fact]
    public void The_hashes_of_the_page_are_those_of_the_code()
    {
        var lines = FormatPage.Messages.Fence("hashes").ToList();

        Assert.Equal(5, lines.Count);
        Assert.All(lines, line =>
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            var key = words.TakeWhile(static word => word.Length == 2).Select(static word => byte.Parse(word, NumberStyles.HexNumber, CultureInfo.InvariantCulture)).ToArray();
            Assert.Equal(words[key.Length], XxHash64.Hash(key).ToString("x16", CultureInfo.InvariantCulture));
        });
    }

    [Fact]
    public void The_fingerprint_of_the_page_is_that_of_the_album() =>
        Assert.Equal(Assert.Single(FormatPage.Schema.Fence("fingerprint")), Album.BufferedBlock.Schema.Fingerprint.ToString("x16", CultureInfo.InvariantCulture));

    [Fact]
    public void The_notes_of_the_page_are_those_of_the_generator()
    {
        var lines = Door.BufferedBlock.Schema.Text.Split('\n');

        Assert.Equal(FormatPage.Schema.Fence("notes"), lines.Skip(1).SkipLast(1));
        Assert.Equal(
            MessageSchema.Parse(string.Join('\n', lines.Where(static line => !line.StartsWith('#')))).Fingerprint,
            Door.BufferedBlock.Schema.Fingerprint);
    }

    [Fact]
    public void The_dictionary_with_buckets_is_as_drawn()
    {
        var dictionary = FormatPage.Messages.Bytes("dictionary");
        byte[] head = [1, 0, 1, 0, 128, 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0];

        GoldenMessage.AssertWrites(
            new Tens { Of = Enumerable.Range(1, 9).ToDictionary(static key => (byte)key, static key => (byte)(key * 10)) },
            [.. head, .. dictionary, 0, 0, 0, 0, 0, 0, 0]);
    }

    [Fact]
    public void Bytes_between_presence_bits_and_values_are_zero()
    {
        var message = new Pairs { Longs = [1, null] }.ToMessageArray();
        Assert.Equal((1, 0), (message[40], message[41]));
        message[41] = 1;

        Assert.False(PairsBufferedMessage.Verify(message, out var error));
        Assert.Equal(("Longs", 41, WireRule.BitmapEnd), (error.Path, error.Offset, error.Rule));
    }

    [Fact]
    public void A_collection_without_elements_may_have_an_offset_which_a_verification_refuses()
    {
        var message = new Pairs { Numbers = [1], Text = "longer than 7" }.ToMessageArray();
        message[24] = 0;

        Assert.Equal(0, new PairsBufferedMessage(message).Numbers.Length);
        Assert.Equal("longer than 7", new PairsBufferedMessage(message).ToPairs().Text);
        Assert.False(PairsBufferedMessage.Verify(message, out var error));
        Assert.Equal(("Numbers", WireRule.EmptyList), (error.Path, error.Rule));

        BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(28), (uint)message.Length);
        Assert.Throws<MalformedMessageException>(() => new PairsBufferedMessage(message).Numbers.Length);
    }

    [Fact]
    public void Payloads_of_up_to_7_bytes_and_without_elements_may_be_in_any_order_when_a_message_is_copied()
    {
        // The text begins before the numbers, and has 4 bytes outside of its slot.
        var message = new Pairs { Numbers = [0x64636261, 2] }.ToMessageArray();
        BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(32), 4 | (32UL << 32));
        var early = (byte[])message.Clone();
        BinaryPrimitives.WriteUInt64LittleEndian(early.AsSpan(32), 8 | (32UL << 32));

        Assert.Equal("abcd", new PairsBufferedMessage(message).ToPairs().Text);
        Assert.False(PairsBufferedMessage.Verify(message, out _));
        Assert.Throws<MalformedMessageException>(() => new PairsBufferedMessage(early).ToPairs());
    }

    [Theory]
    [InlineData(0x8000_0000_0000_0001)]
    [InlineData(0x8000_0001_0000_0000)]
    [InlineData(0x8100_0000_0000_0061)]
    public void A_collection_with_bit_63_that_is_not_the_empty_one_is_malformed(ulong slot)
    {
        var message = new Pairs().ToMessageArray();
        BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(24), slot);

        Assert.Throws<MalformedMessageException>(() => new PairsBufferedMessage(message).Numbers.Length);
        Assert.False(PairsBufferedMessage.Verify(message, out var error));
        Assert.Equal("Numbers", error.Path);
    }

    [Fact]
    public void A_root_union_that_is_null_reads_as_null_and_is_neither_valid_nor_copied()
    {
        byte[] message = [1, 0, 1, 0, 16, 0, 0, 0, .. new byte[8]];

        Assert.True(new MoneyBufferedMessage(message).IsNull);
        Assert.False(MoneyBufferedMessage.Verify(message, out var error));
        Assert.Equal((WireRule.NullRoot, 8), (error.Rule, error.Offset));
        Assert.Throws<InvalidOperationException>(() => new MoneyBufferedMessage(message).ToMoney());
    }

    [Fact]
    public void A_message_of_a_newer_version_says_that_the_package_must_be_updated()
    {
        var message = new Pairs().ToMessageArray();
        message[2] = 2;

        Assert.Contains("update the BufferedMessages package", Assert.Throws<MalformedMessageException>(() => new PairsBufferedMessage(message)).Message, StringComparison.Ordinal);
        Assert.False(PairsBufferedMessage.Verify(message, out var error));
        Assert.Contains("update the BufferedMessages package", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Kinds_of_the_schema_text_are_nested_at_most_64_deep()
    {
        MessageSchema.Parse(Nested(64));
        Assert.Contains("its kind is unknown", Assert.Throws<FormatException>(() => MessageSchema.Parse(Nested(65))).Message, StringComparison.Ordinal);

        static string Nested(int depth) => $"message A\n0 {string.Concat(Enumerable.Repeat("list(", depth))}i32{new string(')', depth)} X\n";
    }
}
