namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class SmallDictionaries
{
    public Dictionary<string, int>? Counts { get; set; }
    public Dictionary<string, int>? Null { get; set; }
    public Dictionary<string, int>? Empty { get; set; }
    public HashSet<ushort>? Ports { get; set; }
}

[BufferedMessageSource]
internal partial class DocumentedDictionary
{
    public Dictionary<string, int>? Numbers { get; set; }
}

[BufferedMessageSource]
internal partial class LargeDictionary
{
    public Dictionary<int, byte?>? Levels { get; set; }
}

[BufferedMessageSource]
internal partial class LargeSet
{
    public ISet<string>? Names { get; set; }
}

[BufferedMessageSource]
internal partial class NestedDictionaries
{
    public Dictionary<bool, Dictionary<char, Tally?>?>? Tallies { get; set; }
}

[BufferedMessageSource]
internal partial class Tally
{
    public int Number { get; set; }
}

public class GoldenDictionaryTests
{
    [Fact]
    public void The_example_of_the_document_is_written_as_it_says() => GoldenMessage.AssertWrites(
        new DocumentedDictionary { Numbers = new() { ["key number 2"] = 2, ["a"] = 1 } },
        GoldenMessage.Parse(
            """
            01 00 01 00 40 00 00 00 ; 1 word, 64 bytes
            02 00 00 00 08 00 00 00 ; Numbers: 2 at 8
            28 00 00 00 00 00 00 00 ; from here on as in docs/format/messages.md
            61 00 00 00 00 00 00 81
            0c 00 00 00 10 00 00 00
            6b 65 79 20 6e 75 6d 62
            65 72 20 32 00 00 00 00
            01 00 00 00 02 00 00 00
            """));

    [Fact]
    public void Up_to_eight_entries_are_ordered_by_their_key_bytes()
    {
        var bytes = GoldenMessage.Parse(
            """
            04 00 01 00 78 00 00 00 ; 4 words, 120 bytes
            03 00 00 00 20 00 00 00 ; Counts: 3 at 32
            00 00 00 00 00 00 00 00 ; Null
            00 00 00 00 00 00 00 80 ; Empty
            02 00 00 00 60 00 00 00 ; Ports: 2 at 96
            30 00 00 00 00 00 00 00 ; Counts: values at 48
            00 00 00 00 00 00 00 80 ; "", inline
            0b 00 00 00 18 00 00 00 ; 11 bytes, 24 behind the first slot
            62 00 00 00 00 00 00 81 ; "b", inline
            61 2d 6c 6f 6e 67 2d 6b ; "a-long-key!"
            65 79 21 00 00 00 00 00 ; gap
            07 00 00 00 01 00 00 00 ; values
            02 00 00 00 00 00 00 00 ; gap
            00 00 00 00 00 00 00 00 ; Ports: no values
            05 00 2c 01 00 00 00 00 ; 5, 300, end of the message
            """);
        var source = new SmallDictionaries
        {
            Counts = new() { ["b"] = 2, ["a-long-key!"] = 1, [""] = 7 },
            Empty = [],
            Ports = [300, 5],
        };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new SmallDictionariesBufferedMessage(bytes);
        Assert.Equal((7, 1, 2), (view.Counts[""], view.Counts["a-long-key!"u8], view.Counts["b"]));
        Assert.True(view.Null.IsNull);
        Assert.True(view.Empty is { IsNull: false, Count: 0 });
        Assert.True(view.Ports.Contains(300) && view.Ports.Contains(5) && !view.Ports.Contains(6));
    }

    [Fact]
    public void More_entries_are_ordered_by_bucket_and_then_by_key_bytes()
    {
        var bytes = GoldenMessage.Parse(
            """
            01 00 01 00 98 00 00 00 ; 1 word, 152 bytes
            09 00 00 00 08 00 00 00 ; Levels: 9 at 8
            78 00 00 00 00 00 00 00 ; values at 120
            00 00 00 00 00 00 00 00 ; starts of the 16 buckets: 0, 1
            01 00 00 00 01 00 00 00 ; 2, 3
            01 00 00 00 01 00 00 00 ; 4, 5
            01 00 00 00 02 00 00 00 ; 6, 7
            03 00 00 00 03 00 00 00 ; 8, 9
            06 00 00 00 06 00 00 00 ; 10, 11
            06 00 00 00 06 00 00 00 ; 12, 13
            06 00 00 00 08 00 00 00 ; 14, 15
            09 00 00 00 00 00 00 00 ; the count, padding
            01 00 00 00 06 00 00 00 ; 1 in bucket 1, 6 in 6
            08 00 00 00 04 00 00 00 ; 8 in 7, 4 in 9
            05 00 00 00 09 00 00 00 ; 5 and 9 in 9
            02 00 00 00 07 00 00 00 ; 2 and 7 in 14
            03 00 00 00 00 00 00 00 ; 3 in 15, gap
            ef 01 0a 3c 50 28 00 5a ; that of 5 is null; values of 1, 6, 8, 4, 5, 9
            14 46 1e 00 00 00 00 00 ; 2, 7, 3, end of the message
            """);
        var source = new LargeDictionary { Levels = Enumerable.Range(1, 9).ToDictionary(key => key, key => key == 5 ? (byte?)null : (byte)(10 * key)) };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new LargeDictionaryBufferedMessage(bytes);
        for (var key = 0; key <= 10; key++)
        {
            Assert.Equal(source.Levels.TryGetValue(key, out var expected), view.Levels.TryGetValue(key, out var level));
            Assert.Equal(expected, level);
        }
    }

    [Fact]
    public void A_set_of_more_than_eight_strings_has_buckets_and_no_values()
    {
        var bytes = GoldenMessage.Parse(
            """
            01 00 01 00 c0 00 00 00 ; 1 word, 192 bytes
            0a 00 00 00 08 00 00 00 ; Names: 10 at 8
            00 00 00 00 00 00 00 00 ; no values
            00 00 00 00 00 00 00 00 ; starts of the 16 buckets: 0, 1
            01 00 00 00 01 00 00 00 ; 2, 3
            01 00 00 00 02 00 00 00 ; 4, 5
            02 00 00 00 04 00 00 00 ; 6, 7
            04 00 00 00 04 00 00 00 ; 8, 9
            06 00 00 00 06 00 00 00 ; 10, 11
            08 00 00 00 08 00 00 00 ; 12, 13
            08 00 00 00 08 00 00 00 ; 14, 15
            0a 00 00 00 00 00 00 00 ; the count, padding
            0c 00 00 00 50 00 00 00 ; 12 bytes, 80 behind the first slot
            74 68 72 65 65 00 00 85 ; "three"
            6f 6e 65 00 00 00 00 83 ; "one"
            73 69 78 00 00 00 00 83 ; "six"
            66 69 76 65 00 00 00 84 ; "five"
            66 6f 75 72 00 00 00 84 ; "four"
            65 69 67 68 74 00 00 85 ; "eight"
            74 77 6f 00 00 00 00 83 ; "two"
            6e 69 6e 65 00 00 00 84 ; "nine"
            73 65 76 65 6e 00 00 85 ; "seven"
            61 2d 6c 6f 6e 67 65 72 ; "a-longer-key"
            2d 6b 65 79 00 00 00 00 ; gap
            """);
        string[] names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "a-longer-key"];

        GoldenMessage.AssertWrites(new LargeSet { Names = names.ToHashSet() }, bytes);
        var view = new LargeSetBufferedMessage(bytes);
        foreach (var name in names)
        {
            Assert.True(view.Names.Contains(name), name);
        }

        Assert.False(view.Names.Contains("ten"));
    }

    [Fact]
    public void A_dictionary_in_a_dictionary_is_a_value_behind_a_slot()
    {
        var bytes = GoldenMessage.Parse(
            """
            01 00 01 00 60 00 00 00 ; 1 word, 96 bytes
            02 00 00 00 08 00 00 00 ; Tallies: 2 at 8
            10 00 00 00 00 00 00 00 ; values at 16
            00 01 00 00 00 00 00 00 ; false, true, gap
            00 00 00 00 00 00 00 00 ; that of false is null
            02 00 00 00 10 00 00 00 ; that of true: 2, 16 behind the first slot
            10 00 00 00 00 00 00 00 ; values at 16
            78 00 79 00 00 00 00 00 ; 'x', 'y', gap
            01 00 01 00 00 00 00 00 ; messages of 1 word, with a bitmap
            01 00 00 00 00 00 00 00 ; the second is null
            05 00 00 00 00 00 00 00 ; Number
            00 00 00 00 00 00 00 00 ; null
            """);
        var source = new NestedDictionaries { Tallies = new() { [true] = new() { ['y'] = null, ['x'] = new Tally { Number = 5 } }, [false] = null } };

        GoldenMessage.AssertWrites(source, bytes);
        var view = new NestedDictionariesBufferedMessage(bytes);
        Assert.True(view.Tallies[false].IsNull);
        Assert.Equal(5, view.Tallies[true]['x'].Number);
        Assert.True(view.Tallies[true]['y'].IsNull);
    }
}
