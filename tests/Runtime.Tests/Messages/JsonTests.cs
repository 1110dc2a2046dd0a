using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using BufferedMessages.Runtime.Tests.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Messages;

public class JsonTests
{
    private static readonly JsonSerializerOptions Options = new() { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals };

    private static readonly Album Example = new()
    {
        Title = "Kind of \"Blue\" é",
        Year = 1959,
        Rating = double.PositiveInfinity,
        Genres = ["Jazz", null],
        Tracks = [new Track { Title = "So What", Seconds = 545 }, null],
        Sales = [],
    };

    [Fact]
    public void A_view_is_written_as_System_Text_Json_writes_its_source()
    {
        Assert.Equal(JsonSerializer.Serialize(Example, Options), JsonOf<AlbumBufferedMessage>(Example.ToMessageArray()));
    }

    [Fact]
    public void Values_are_written_in_the_formats_that_System_Text_Json_reads()
    {
        var moments = new Moments
        {
            Price = 12.50m,
            Utc = new DateTime(2026, 11, 22, 4, 5, 6, DateTimeKind.Utc),
            Offset = new DateTimeOffset(2026, 11, 22, 4, 5, 6, TimeSpan.FromHours(2)),
            Id = new Guid("01234567-89ab-cdef-0123-456789abcdef"),
        };
        var json = JsonDocument.Parse(JsonOf<MomentsBufferedMessage>(moments.ToMessageArray())).RootElement;
        Assert.Equal("12.50", json.GetProperty(nameof(Moments.Price)).GetRawText());
        Assert.Equal(moments.Utc, json.GetProperty(nameof(Moments.Utc)).GetDateTime());
        Assert.Equal(moments.Offset, json.GetProperty(nameof(Moments.Offset)).GetDateTimeOffset());
        Assert.Equal(moments.Id, json.GetProperty(nameof(Moments.Id)).GetGuid());
    }

    [Fact]
    public void A_view_reads_as_one_line_of_JSON() =>
        Assert.Equal("{\"Title\":\"Blue in Grün\",\"Seconds\":337}", new TrackBufferedMessage(new Track { Title = "Blue in Grün", Seconds = 337 }.ToMessageArray()).ToString());

    [Theory]
    [InlineData("struct(8/4;0:i64)", "[72623859790382856]")]
    [InlineData("struct(8;0:u8[2],4:u16[2])", "[[8,7],[772,258]]")]
    [InlineData("struct(8;0:struct(4;0:u8,2:u16)[2])", "[[[8,1286],[4,258]]]")]
    [InlineData("struct(8;)", "[]")]
    public void A_struct_is_an_array_of_its_fields_and_its_arrays_are_arrays(string kind, string json)
    {
        byte[] message = [1, 0, 1, 0, 16, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1];
        Assert.Contains($" A: {json}\n", BufferedMessage.Explain(message, MessageSchema.Parse($"message M\n0 {kind} A\n")), StringComparison.Ordinal);
    }

    [Fact]
    public void A_long_message_is_cut()
    {
        var text = new AlbumBufferedMessage(new Album { Sales = [.. Enumerable.Range(0, 100_000)] }.ToMessageArray()).ToString();
        Assert.Equal(1003, text.Length);
        Assert.EndsWith("...", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData('\u00FC')]
    [InlineData('\u20AC')]
    public void A_message_is_cut_by_its_characters_and_not_by_its_bytes(char letter)
    {
        var track = new Track { Title = new string(letter, 970), Seconds = 337 };
        var text = $"{{\"Title\":\"{track.Title}\",\"Seconds\":337}}";

        Assert.InRange(text.Length, 990, 1000);
        Assert.Equal(text, new TrackBufferedMessage(track.ToMessageArray()).ToString());
        track.Title += "and more";
        Assert.Equal(text[..980] + "and more\",\"Seconds\":...", new TrackBufferedMessage(track.ToMessageArray()).ToString());
    }

    [Fact]
    public void A_message_is_written_whole_by_a_writer_that_has_written_more_than_2_GB()
    {
        var spaces = new byte[16 * 1024 * 1024];
        spaces.AsSpan().Fill((byte)' ');
        spaces[^1] = (byte)'0';
        using var json = new Utf8JsonWriter(Stream.Null);
        json.WriteStartArray();
        while (json.BytesCommitted <= int.MaxValue)
        {
            json.WriteRawValue(spaces, skipInputValidation: true);
            json.Flush();
        }

        new AlbumBufferedMessage(Example.ToMessageArray()).WriteJson(json);

        Assert.Equal(",".Length + Encoding.UTF8.GetByteCount(JsonOf<AlbumBufferedMessage>(Example.ToMessageArray())), json.BytesPending);
    }

    [Fact]
    public void A_null_view_reads_as_null() =>
        Assert.Equal("null", new OuterBufferedMessage(new Outer().ToMessageArray()).Child.ToString());

    [Fact]
    public void A_nested_view_is_written_alone() =>
        Assert.Equal("{\"Title\":\"So What\",\"Seconds\":545}", new AlbumBufferedMessage(Example.ToMessageArray()).Tracks[0].ToString());

    [Fact]
    public void A_member_that_an_older_writer_did_not_know_is_zero() =>
        Assert.Equal("{\"Title\":\"x\",\"Seconds\":0}", new TrackBufferedMessage(new TrackWithoutSeconds { Title = "x" }.ToMessageArray()).ToString());

    [Fact]
    public void A_damaged_message_reads_as_far_as_it_goes_and_says_so()
    {
        var message = Example.ToMessageArray();
        message[40 + 7] = 0x70;
        var text = new AlbumBufferedMessage(message).ToString();
        Assert.StartsWith("{\"Title\":\"Kind of ", text, StringComparison.Ordinal);
        Assert.EndsWith("(malformed: a slot points outside of the message, or back into the block that holds it)", text, StringComparison.Ordinal);
        Assert.Throws<MalformedMessageException>(() => JsonOf<AlbumBufferedMessage>(message));
    }

    [Fact]
    public void Text_that_is_not_UTF8_is_replaced()
    {
        var message = new Track { Title = "So What" }.ToMessageArray();
        message[8] = 0xFF;
        Assert.Contains("\"\uFFFDo What\"", new TrackBufferedMessage(message).ToString(), StringComparison.Ordinal);
    }

    internal static string JsonOf<TView>(byte[] message)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            BufferedMessage.Create<TView>(message).WriteJson(json);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}
