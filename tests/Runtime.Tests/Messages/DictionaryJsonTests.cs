using System.Text.Json;
using System.Text.Json.Nodes;
using BufferedMessages.Runtime.Tests.Wire;
using Music;

namespace BufferedMessages.Runtime.Tests.Messages;

public class DictionaryJsonTests
{
    private static readonly Shelf Example = new()
    {
        Albums = new() { ["blue"] = new Track { Title = "So What", Seconds = 545 }, ["a name of some length"] = null, [""] = new Track() },
        Years = Enumerable.Range(1950, 20).ToDictionary(static year => year, static year => year % 3 == 0 ? null : new List<string?> { $"{year}", null }),
        Ids = new() { [new Guid("01234567-89ab-cdef-0123-456789abcdef")] = 1.5m },
        Days = new() { [new DateOnly(2026, 11, 22)] = true, [DateOnly.MinValue] = null },
        Nested = new() { [-7] = new() { ["x"] = 1, ["y"] = 2 }, [long.MaxValue] = [], [0] = null },
        Tags = ["one"],
        Numbers = [],
    };

    [Fact]
    public void Dictionaries_and_sets_are_written_as_System_Text_Json_writes_them()
    {
        var (expected, actual) = (JsonSerializer.Serialize(Example), JsonTests.JsonOf<ShelfBufferedMessage>(Example.ToMessageArray()));
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(expected), JsonNode.Parse(actual)), $"{actual}\nis not\n{expected}");
    }

    [Fact]
    public void System_Text_Json_reads_them_back()
    {
        var read = JsonSerializer.Deserialize<Shelf>(JsonTests.JsonOf<ShelfBufferedMessage>(Example.ToMessageArray()))!;
        Assert.Equal(Convert.ToHexString(Example.ToMessageArray()), Convert.ToHexString(read.ToMessageArray()));
    }

    [Theory]
    [InlineData(true, '\u00e9', "{\"Tallies\":{\"true\":{\"é\":{\"Number\":5}}}}")]
    [InlineData(false, '\ud800', "{\"Tallies\":{\"false\":{\"\uFFFD\":{\"Number\":5}}}}")]
    public void Keys_that_are_no_strings_are_names_of_their_values(bool outer, char inner, string json)
    {
        var message = new NestedDictionaries { Tallies = new() { [outer] = new() { [inner] = new Tally { Number = 5 } } } }.ToMessageArray();
        Assert.Equal(json, new NestedDictionariesBufferedMessage(message).ToString());
    }

    [Fact]
    public void A_key_that_is_not_UTF8_is_replaced()
    {
        var message = new DocumentedDictionary { Numbers = new() { ["a"] = 1 } }.ToMessageArray();
        message[24] = 0xFF;
        Assert.Equal("{\"Numbers\":{\"\uFFFD\":1}}", new DocumentedDictionaryBufferedMessage(message).ToString());
    }

    [Fact]
    public void A_long_dictionary_is_cut()
    {
        var message = new DocumentedDictionary { Numbers = Enumerable.Range(0, 1000).ToDictionary(static i => $"the number {i}") }.ToMessageArray();
        var text = new DocumentedDictionaryBufferedMessage(message).ToString();
        Assert.Equal(1003, text.Length);
        Assert.EndsWith("...", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_dictionary_whose_keys_share_their_bytes_is_malformed()
    {
        var message = new DocumentedDictionary { Numbers = new() { ["the first key"] = 1, ["the second key"] = 2 } }.ToMessageArray();
        message.AsSpan(24, 4).CopyTo(message.AsSpan(32));
        message[36] = 8;
        Assert.EndsWith("(malformed: payloads overlap, or are not in the order of their slots)", new DocumentedDictionaryBufferedMessage(message).ToString(), StringComparison.Ordinal);
    }
}

[BufferedMessageSource]
internal partial class Shelf
{
    public Dictionary<string, Track?>? Albums { get; set; }
    public Dictionary<int, List<string?>?>? Years { get; set; }
    public Dictionary<Guid, decimal>? Ids { get; set; }
    public Dictionary<DateOnly, bool?>? Days { get; set; }
    public Dictionary<long, Dictionary<string, int>?>? Nested { get; set; }
    public Dictionary<string, int>? Null { get; set; }
    public HashSet<string>? Tags { get; set; }
    public HashSet<int>? Numbers { get; set; }
}
