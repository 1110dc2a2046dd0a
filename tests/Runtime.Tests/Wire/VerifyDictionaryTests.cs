namespace BufferedMessages.Runtime.Tests.Wire;

/// <summary>Every rule of dictionaries and sets is broken once. The bytes are those of <see cref="GoldenDictionaryTests"/>.</summary>
public class VerifyDictionaryTests
{
    private static readonly DocumentedDictionary Documented = new() { Numbers = new() { ["key number 2"] = 2, ["a"] = 1 } };

    private static readonly LargeDictionary Large =
        new() { Levels = Enumerable.Range(1, 9).ToDictionary(static key => key, static key => key == 5 ? (byte?)null : (byte)(10 * key)) };

    private static readonly LargeSet Names = new() { Names = new HashSet<string>(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "a-longer-key"]) };

    [Theory]
    [InlineData(8, 0, "Numbers", 8, "an empty list, set or dictionary")]
    [InlineData(8, 9, "Numbers", 8, "beyond the end")]
    [InlineData(12, 0, "Numbers", 8, "order")]
    [InlineData(16, 0x20, "Numbers", 16, "order")]
    [InlineData(16, 0x24, "Numbers", 16, "aligned")]
    [InlineData(16, 0x38, "Numbers", 16, "beyond the end")]
    [InlineData(16, 0x30, "Numbers.Values", 16, "beyond the end")]
    [InlineData(20, 1, "Numbers", 16, "header")]
    [InlineData(24, 0x7A, "Numbers.Keys[1]", 32, "not in order")]
    [InlineData(24, 0xFF, "Numbers.Keys[0]", 24, "UTF-8")]
    [InlineData(32, 7, "Numbers.Keys[1]", 32, "not stored in its slot")]
    [InlineData(36, 0x0F, "Numbers.Keys[1]", 32, "order")]
    public void A_broken_rule_of_a_dictionary_is_named(int position, byte value, string path, int offset, string rule) =>
        AssertBroken<DocumentedDictionaryBufferedMessage>(Documented.ToMessageArray(), position, value, path, offset, rule);

    [Theory]
    [InlineData(24, 1, "Levels.Keys[0]", 24, "buckets")]
    [InlineData(28, 1, "Levels.Keys[0]", 28, "buckets")]
    [InlineData(88, 8, "Levels.Keys", 88, "buckets")]
    [InlineData(92, 1, "Levels.Keys", 92, "after the buckets")]
    [InlineData(108, 9, "Levels.Keys[4]", 112, "not in order")]
    [InlineData(112, 9, "Levels.Keys[5]", 116, "twice")]
    [InlineData(128, 1, "Levels.Keys[8]", 128, "buckets")]
    [InlineData(16, 0x70, "Levels", 16, "order")]
    [InlineData(137, 3, "Levels.Values", 137, "after the presence bits")]
    [InlineData(142, 1, "Levels.Values[4]", 142, "null is not zero")]
    public void A_broken_rule_of_a_dictionary_with_buckets_is_named(int position, byte value, string path, int offset, string rule) =>
        AssertBroken<LargeDictionaryBufferedMessage>(Large.ToMessageArray(), position, value, path, offset, rule);

    [Theory]
    [InlineData(16, 8, "Names", 16, "points to values")]
    [InlineData(20, 1, "Names", 16, "points to values")]
    [InlineData(176, 0xFF, "Names[0]", 176, "UTF-8")]
    [InlineData(104, 0x61, "Names[1]", 44, "buckets")]
    [InlineData(112, 0x80, "Names[2]", 112, "UTF-8")]
    public void A_broken_rule_of_a_set_is_named(int position, byte value, string path, int offset, string rule) =>
        AssertBroken<LargeSetBufferedMessage>(Names.ToMessageArray(), position, value, path, offset, rule);

    [Fact]
    public void A_key_that_is_null_is_named()
    {
        var message = Names.ToMessageArray();
        message.AsSpan(112, 8).Clear();
        AssertBroken<LargeSetBufferedMessage>(message, 112, 0, "Names[2]", 112, "is null");
    }

    [Fact]
    public void A_bool_that_is_a_key_is_0_or_1()
    {
        var message = new NestedDictionaries { Tallies = new() { [true] = null } }.ToMessageArray();
        AssertBroken<NestedDictionariesBufferedMessage>(message, 24, 2, "Tallies.Keys[0]", 24, "bool");
    }

    [Fact]
    public void A_value_in_a_dictionary_in_a_dictionary_is_named_with_its_path()
    {
        var message = new NestedDictionaries { Tallies = new() { [true] = new() { ['x'] = new Tally { Number = 5 }, ['y'] = null } } }.ToMessageArray();
        AssertBroken<NestedDictionariesBufferedMessage>(message, message.Length - 1, 1, "Tallies.Values[0].Values[1]", message.Length - 1, "null message");
    }

    [Fact]
    public void The_gap_in_front_of_the_values_may_hold_bytes_unless_the_message_is_exact()
    {
        var message = Documented.ToMessageArray();
        message[52] = 1;
        Assert.True(DocumentedDictionaryBufferedMessage.Verify(message, out var error), error.ToString());
        Assert.False(DocumentedDictionaryBufferedMessage.Verify(message, out error, exact: true));
        Assert.Equal(new MessageError("Numbers", 52, "bytes between payloads are not zero"), error);
    }

    [Fact]
    public void Keys_that_were_chosen_for_one_bucket_are_verified()
    {
        var keys = Enumerable.Range(0, 1_000_000).Select(static i => $"k{i}").Where(static key => Bucket(key, 1 << 9) == 0).Take(400).ToArray();
        var message = new LargeSet { Names = keys.ToHashSet() }.ToMessageArray();

        Assert.Equal(400, keys.Length);
        Assert.True(LargeSetBufferedMessage.Verify(message, out var error, exact: true), error.ToString());
    }

    private static ulong Bucket(string key, int buckets) =>
        BufferedMessages.Wire.XxHash64.Hash(System.Text.Encoding.UTF8.GetBytes(key)) & (ulong)(buckets - 1);

    private static void AssertBroken<TView>(byte[] message, int position, byte value, string path, int offset, string rule)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        message[position] = value;
        Assert.False(BufferedMessage.Verify<TView>(message, out var error));
        Assert.Equal((path, offset), (error.Path, error.Offset));
        Assert.Contains(rule, error.Rule, StringComparison.Ordinal);
    }
}
