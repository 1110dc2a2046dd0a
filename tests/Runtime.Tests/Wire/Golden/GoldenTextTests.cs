using System.Collections.Immutable;

namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Texts
{
    public string? Null { get; set; }
    public string? Empty { get; set; }
    public string? One { get; set; }
    public string? Seven { get; set; }
    public string? Eight { get; set; }
    public string? Umlauts { get; set; }
    public string? Emoji { get; set; }
    public string? Polish { get; set; }
}

[BufferedMessageSource]
internal partial class Blobs
{
    public byte[]? Null { get; set; }
    public byte[]? Empty { get; set; }
    public byte[]? Three { get; set; }
    public byte[]? Nine { get; set; }
    public Memory<byte> Memory { get; set; }
    public ReadOnlyMemory<byte> ReadOnlyMemory { get; set; }
    public ImmutableArray<byte> Immutable { get; set; }
}

public class GoldenTextTests
{
    [Fact]
    public void Strings_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            08 00 01 00 70 00 00 00 ; 8 words, 112 bytes
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 80 ; Empty
            41 00 00 00 00 00 00 81 ; One: "A"
            61 62 63 64 65 66 67 87 ; Seven: "abcdefg"
            08 00 00 00 40 00 00 00 ; Eight: 8 bytes at 64
            47 72 c3 bc c3 9f 65 87 ; Umlauts: 5 characters, 7 bytes
            0b 00 00 00 48 00 00 00 ; Emoji: 11 bytes at 72
            0e 00 00 00 53 00 00 00 ; Polish: 7 characters, 14 bytes at 83
            61 62 63 64 65 66 67 68 ; Eight
            6e 61 c3 af 76 65 20 f0 ; Emoji
            9f 98 80 c5 bc c3 b3 c5 ; Emoji, Polish
            82 c4 87 c4 99 c4 85 c5 ; Polish
            9b 00 00 00 00 00 00 00 ; Polish, end
            """);
        var source = new Texts
        {
            Empty = "",
            One = "A",
            Seven = "abcdefg",
            Eight = "abcdefgh",
            Umlauts = "Grüße",
            Emoji = "naïve 😀",
            Polish = "żółćęąś",
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new TextsBufferedMessage(bytes);
        Assert.True(view.Null.IsNull);
        Assert.True(view.Empty == "");
        Assert.True(view.One == "A");
        Assert.True(view.Seven == "abcdefg");
        Assert.True(view.Eight == "abcdefgh");
        Assert.True(view.Umlauts == "Grüße");
        Assert.True(view.Emoji == "naïve 😀");
        Assert.True(view.Polish == "żółćęąś");
        GoldenMessage.AssertWrites(view.ToTexts(), bytes);
    }

    [Fact]
    public void Binaries_are_as_drawn()
    {
        var bytes = GoldenMessage.Parse(
            """
            07 00 01 00 58 00 00 00 ; 7 words, 88 bytes
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 80 ; Empty
            01 02 03 00 00 00 00 83 ; Three
            09 00 00 00 38 00 00 00 ; Nine: at 56
            ff 00 00 00 00 00 00 81 ; Memory
            08 00 00 00 41 00 00 00 ; ReadOnlyMemory: 8 bytes at 65
            07 00 00 00 00 00 00 81 ; Immutable
            f0 f1 f2 f3 f4 f5 f6 f7 ; Nine
            f8 10 11 12 13 14 15 16 ; Nine, ReadOnlyMemory
            17 00 00 00 00 00 00 00 ; ReadOnlyMemory, end
            """);
        var source = new Blobs
        {
            Empty = [],
            Three = [1, 2, 3],
            Nine = [0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8],
            Memory = new byte[] { 0xFF },
            ReadOnlyMemory = new byte[] { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17 },
            Immutable = [7],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new BlobsBufferedMessage(bytes);
        Assert.True(view.Null.IsNull);
        Assert.False(view.Empty.IsNull);
        Assert.True(view.Empty.IsEmpty);
        Assert.True(view.Three.SequenceEqual(source.Three));
        Assert.True(view.Nine.SequenceEqual(source.Nine));
        Assert.True(view.Memory.SequenceEqual(source.Memory.Span));
        Assert.True(view.ReadOnlyMemory.SequenceEqual(source.ReadOnlyMemory.Span));
        Assert.True(view.Immutable.SequenceEqual(source.Immutable.AsSpan()));
        GoldenMessage.AssertWrites(view.ToBlobs(), bytes);
    }
}
