using System.Text.Encodings.Web;
using System.Text.Json;
using BufferedMessages.Runtime.Tests.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Messages;

public class ExplainTests
{
    private static readonly JsonSerializerOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    [Fact]
    public void Every_byte_of_the_worked_example_has_a_name()
    {
        const string Expected =
            """
                 0  06 00 01 00 d0 00 00 00  Music.Album: root block of 6 words, version 1, flags 0, 208 bytes in all
                 8  0c 00 00 00 30 00 00 00  Title: 12 bytes, 48 bytes after the start of this block or slot array
                16  a7 07                    Year: 1959
                18  00                       Live: false
                19  01                       presence bits: Rating
                20  01 00 00 00              Discs: 1
                24  00 00 00 00 00 00 12 40  Rating: 4.5
                32  03 00 00 00 40 00 00 00  Genres: 3 elements, 64 bytes after the start of this block or slot array
                40  03 00 00 00 68 00 00 00  Tracks: 3 elements, 104 bytes after the start of this block or slot array
                48  03 00 00 00 b8 00 00 00  Sales: 3 elements, 184 bytes after the start of this block or slot array
                56  4b 69 6e 64 20 6f 66 20  Title: "Kind of Blue"
                64  42 6c 75 65
                68  00 00 00 00              padding
                72  4a 61 7a 7a 00 00 00 84  Genres[0]: 4 bytes in the slot: "Jazz"
                80  00 00 00 00 00 00 00 00  Genres[1]: null
                88  0a 00 00 00 18 00 00 00  Genres[2]: 10 bytes, 24 bytes after the start of this block or slot array
                96  4d 6f 64 61 6c 20 6a 61  Genres[2]: "Modal jazz"
               104  7a 7a
               106  00 00 00 00 00 00        padding
               112  02 00 01 00 00 00 00 00  Tracks: blocks of 16 bytes
               120  05 00 00 00 00 00 00 00  Tracks: presence bits of the elements
               128  53 6f 20 57 68 61 74 87  Tracks[0].Title: 7 bytes in the slot: "So What"
               136  21 02 00 00              Tracks[0].Seconds: 545
               140  00 00 00 00              padding
               144  00 00 00 00 00 00 00 00  Tracks[1]: null
               152  00 00 00 00 00 00 00 00
               160  0d 00 00 00 10 00 00 00  Tracks[2].Title: 13 bytes, 16 bytes after the start of this block or slot array
               168  51 01 00 00              Tracks[2].Seconds: 337
               172  00 00 00 00              padding
               176  42 6c 75 65 20 69 6e 20  Tracks[2].Title: "Blue in Green"
               184  47 72 65 65 6e
               189  00 00 00                 padding
               192  03 00 00 00              Sales[0]: 3
               196  05 00 00 00              Sales[1]: 5
               200  08 00 00 00              Sales[2]: 8
               204  00 00 00 00              padding

            """;
        Assert.Equal(Expected.ReplaceLineEndings("\n"), BufferedMessage.Explain(WorkedExampleTests.Example.ToMessageArray(), SchemaOf<Album>()));
    }

    [Theory]
    [InlineData("a", "\u00FC", 31)]
    [InlineData("", "\u20AC", 21)]
    [InlineData("abc", "\U0001D11E", 15)]
    public void A_long_text_is_cut_before_a_letter(string start, string letter, int shown)
    {
        var letters = new Track { Title = start + string.Concat(Enumerable.Repeat(letter, 50)) };

        var text = BufferedMessage.Explain(letters.ToMessageArray(), SchemaOf<Track>());

        Assert.Contains($"Title: {JsonSerializer.Serialize(start + string.Concat(Enumerable.Repeat(letter, shown)), Readable)}...", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_byte_of_a_dictionary_has_a_name()
    {
        const string Expected =
            """
                 0  01 00 01 00 40 00 00 00  BufferedMessages.Runtime.Tests.Wire.DocumentedDictionary: root block of 1 words, version 1, flags 0, 64 bytes in all
                 8  02 00 00 00 08 00 00 00  Numbers: 2 elements, 8 bytes after the start of this block or slot array
                16  28 00 00 00 00 00 00 00  Numbers: values 40 bytes after the start of this header
                24  61 00 00 00 00 00 00 81  Numbers.Keys[0]: 1 bytes in the slot: "a"
                32  0c 00 00 00 10 00 00 00  Numbers.Keys[1]: 12 bytes, 16 bytes after the start of this block or slot array
                40  6b 65 79 20 6e 75 6d 62  Numbers.Keys[1]: "key number 2"
                48  65 72 20 32
                52  00 00 00 00              padding
                56  01 00 00 00              Numbers.Values[0]: 1
                60  02 00 00 00              Numbers.Values[1]: 2

            """;
        var message = new DocumentedDictionary { Numbers = new() { ["key number 2"] = 2, ["a"] = 1 } }.ToMessageArray();
        Assert.Equal(Expected.ReplaceLineEndings("\n"), BufferedMessage.Explain(message, SchemaOf<DocumentedDictionary>()));
    }

    [Fact]
    public void A_set_with_buckets_says_where_they_start()
    {
        var listing = BufferedMessage.Explain(new LargeSet { Names = Enumerable.Range(0, 9).Select(static i => $"{i}").ToHashSet() }.ToMessageArray(), SchemaOf<LargeSet>());
        Assert.Contains("Names: no values\n", listing, StringComparison.Ordinal);
        Assert.Contains("Names: starts of the buckets\n", listing, StringComparison.Ordinal);
        Assert.Contains("Names[8]: 1 bytes in the slot: \"", listing, StringComparison.Ordinal);
    }

    [Fact]
    public void A_reserved_ordinal_is_said_to_be_reserved() =>
        Assert.Contains(
            "24  00 00 00 00 00 00 12 40  ordinal 3, reserved",
            BufferedMessage.Explain(WorkedExampleTests.Example.ToMessageArray(), MessageSchema.Parse(SchemaOf<Album>().Text.Replace("3 f64? Rating", "3 reserved(f64?)", StringComparison.Ordinal))),
            StringComparison.Ordinal);

    [Fact]
    public void A_damaged_message_is_listed_up_to_where_it_makes_no_sense()
    {
        var message = WorkedExampleTests.Example.ToMessageArray();
        message[112] = 0;
        var listing = BufferedMessage.Explain(message, SchemaOf<Album>());
        Assert.Contains("Genres[2]: \"Modal jazz\"", listing, StringComparison.Ordinal);
        Assert.Contains("not reached", listing, StringComparison.Ordinal);
        Assert.Contains("It no longer makes sense at Tracks: a list of messages has empty blocks or unknown flags.", listing, StringComparison.Ordinal);
    }

    [Fact]
    public void Bytes_that_are_no_message_are_listed() =>
        Assert.Equal(
            "     0  01 02 03                 not reached\nThis is not a message: it is shorter than a header and a block.\n",
            BufferedMessage.Explain([1, 2, 3], SchemaOf<Album>()));

    [Fact]
    public void Members_of_a_newer_writer_are_said_to_be_unknown() =>
        Assert.Contains(
            "136  21 02 00 00 00 00 00 00  belongs to no member that the schema has",
            BufferedMessage.Explain(WorkedExampleTests.Example.ToMessageArray(), MessageSchema.Parse(SchemaOf<Album>().Text.Replace("1 i32 Seconds\n", "", StringComparison.Ordinal))),
            StringComparison.Ordinal);

    private static MessageSchema SchemaOf<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;
}
