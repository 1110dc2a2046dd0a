namespace BufferedMessages.Runtime.Tests.Messages;

public class BufferedStringTests
{
    [Theory]
    [InlineData("")]
    [InlineData("rush")]
    [InlineData("exactly thirty-two characters !!")]
    [InlineData("Grüße aus Zürich")]
    [InlineData("日本語のテキスト")]
    [InlineData("a😀b")]
    [InlineData("\0")]
    public void Equal_text_is_equal_in_every_form(string text)
    {
        var utf8 = System.Text.Encoding.UTF8.GetBytes(text);
        var value = View(utf8);
        Assert.True(value == text);
        Assert.True(text == value);
        Assert.False(value != text);
        Assert.True(value == View([.. utf8]));
        Assert.True(value == (ReadOnlySpan<byte>)utf8);
        Assert.True(value.Equals(text.AsSpan()));
        Assert.Equal(text, value.ToString());
    }

    [Fact]
    public void Text_compares_with_null_as_a_string_does()
    {
        var none = default(BufferedString);
        var empty = View([]);
        Assert.True(none == null);
        Assert.True(null == none);
        Assert.False(none != null);
        Assert.False(null != none);
        Assert.False(empty == null);
        Assert.False(null == empty);
        Assert.True(empty != null);
        Assert.True(null != empty);
        Assert.True(none == none.ToString());
    }

    [Theory]
    [InlineData("rush", "Rush")]
    [InlineData("rush", "rus")]
    [InlineData("rush", "rushs")]
    [InlineData("", "a")]
    [InlineData("a", "")]
    [InlineData("Grüße", "Grusse")]
    [InlineData("Grüße", "Grüß")]
    [InlineData("ü", "u\u0308")]
    [InlineData("a😀", "a😁")]
    [InlineData("é", "\u00C3\u00A9")]
    public void Different_text_is_different_in_every_form(string stored, string other)
    {
        var value = View(System.Text.Encoding.UTF8.GetBytes(stored));
        Assert.False(value == other);
        Assert.True(value != other);
        Assert.True(other != value);
        Assert.False(value.Equals(other.AsSpan()));
        Assert.True(value != (ReadOnlySpan<byte>)System.Text.Encoding.UTF8.GetBytes(other));
        Assert.True(value != View(System.Text.Encoding.UTF8.GetBytes(other)));
    }

    [Fact]
    public void A_utf8_literal_compares_without_conversion()
    {
        Assert.True(View("rush"u8.ToArray()) == "rush"u8);
        Assert.True(View("rush"u8.ToArray()) != "calm"u8);
    }

    [Fact]
    public void Null_equals_null_only()
    {
        var value = default(BufferedString);
        Assert.True(value.IsNull);
        Assert.True(value.IsNullOrEmpty);
        Assert.True(value == (string?)null);
        Assert.True(value == default(BufferedString));
        Assert.False(value == "");
        Assert.False(value == View([]));
        Assert.False(value.Equals(ReadOnlySpan<char>.Empty));
        Assert.Null(value.ToString());
        Assert.Equal(0, value.Length);
    }

    [Fact]
    public void Empty_is_not_null()
    {
        var value = View([]);
        Assert.False(value.IsNull);
        Assert.True(value.IsNullOrEmpty);
        Assert.False(value == (string?)null);
        Assert.Equal("", value.ToString());
    }

    [Fact]
    public void It_interpolates_as_its_text()
    {
        var value = View("Grüße"u8.ToArray());
        Assert.Equal("[Grüße]", $"[{value}]");
        Assert.Equal("[]", $"[{default(BufferedString)}]");
    }

    [Fact]
    public void It_converts_to_a_string()
    {
        string? text = View("rush"u8.ToArray());
        Assert.Equal("rush", text);
    }

    [Theory]
    [InlineData(new byte[] { 0xFF })]
    [InlineData(new byte[] { 0x61, 0xC3 })]
    [InlineData(new byte[] { 0xED, 0xA0, 0x80 })]
    [InlineData(new byte[] { 0xF0, 0x9F, 0x98 })]
    [InlineData(new byte[] { 0xC0, 0x80, 0x61 })]
    public void Bytes_that_are_not_utf8_compare_as_the_string_they_read_as(byte[] bytes)
    {
        var value = View(bytes);
        var text = value.ToString()!;
        Assert.Contains('\uFFFD', text);
        Assert.True(value == text);
    }

    [Fact]
    public void A_lone_surrogate_is_equal_to_nothing()
    {
        Assert.False(View("\uFFFD"u8.ToArray()) == "\uD800");
        Assert.False(View([0xFF]) == "\uDC00");
    }

    [Fact]
    public void Equal_bytes_have_equal_hashes() =>
        Assert.Equal(View("rush"u8.ToArray()).GetHashCode(), View("rush"u8.ToArray()).GetHashCode());

    [Fact]
    public void Characters_are_copied_if_they_fit()
    {
        var value = View("a😀"u8.ToArray());
        Span<char> destination = stackalloc char[3];
        Assert.True(value.TryCopyTo(destination, out var written));
        Assert.Equal("a😀", destination[..written].ToString());
        Assert.False(value.TryCopyTo(destination[..2], out _));
    }

    [Fact]
    public void Bytes_that_are_not_utf8_are_copied_as_the_string_they_read_as()
    {
        Span<char> destination = stackalloc char[4];
        Assert.True(View([0x61, 0xFF, 0x62]).TryCopyTo(destination, out var written));
        Assert.Equal("a\uFFFDb", destination[..written].ToString());
    }

    private static BufferedString View(byte[] utf8) => new(utf8);
}
