using System.Globalization;
using BufferedMessages.Wire;

namespace BufferedMessages.Runtime.Tests.Messages;

[BufferedMessageSource]
internal partial class Lookups
{
    public Dictionary<string, int>? ByName { get; set; }
    public Dictionary<long, string?>? ById { get; set; }
    public HashSet<string>? Names { get; set; }
    public HashSet<int>? Ids { get; set; }
}

public class DictionaryViewTests
{
    private const string Umlaut = "Zürich 😀";
    private static readonly string Long = new('k', 5000);

    public static TheoryData<int> Counts => [1, 2, 8, 9, 100, 5000];

    [Fact]
    public void An_enumerator_gives_nothing_before_the_first_entry_and_after_the_last()
    {
        var entries = new LookupsBufferedMessage(new Lookups { ByName = new() { ["one"] = 1 } }.ToMessageArray()).ByName.GetEnumerator();
        AssertNone(entries);
        Assert.True(entries.MoveNext());
        Assert.Equal(1, entries.Current.Value);
        Assert.False(entries.MoveNext());
        AssertNone(entries);

        static void AssertNone(BufferedDictionaryEnumerator<BufferedList<BufferedString>, BufferedString, BufferedSpan<int>, int> entries)
        {
            try
            {
                _ = entries.Current;
                Assert.Fail("An enumerator that is at no entry gave one.");
            }
            catch (IndexOutOfRangeException)
            {
            }
        }
    }

    [Theory]
    [MemberData(nameof(Counts))]
    public void Every_key_is_found_and_no_other_one(int count)
    {
        var source = new Lookups
        {
            ByName = Enumerable.Range(0, count).ToDictionary(NameOf),
            ById = Enumerable.Range(0, count).ToDictionary(static i => i * 77L, static i => (string?)NameOf(i)),
            Names = Enumerable.Range(0, count).Select(NameOf).ToHashSet(),
            Ids = Enumerable.Range(0, count).ToHashSet(),
        };
        var view = new LookupsBufferedMessage(source.ToMessageArray());

        for (var i = 0; i < count; i++)
        {
            Assert.Equal(i, view.ByName[NameOf(i)]);
            Assert.Equal(NameOf(i), view.ById[i * 77L].ToString());
            Assert.True(view.Names.Contains(NameOf(i)));
            Assert.True(view.Ids.Contains(i));
            Assert.False(view.ByName.ContainsKey(NameOf(count + i)));
            Assert.False(view.ById.ContainsKey((i * 77L) + 1));
            Assert.False(view.Names.Contains(NameOf(count + i)));
            Assert.False(view.Ids.Contains(count + i));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    [InlineData("1234567")]
    [InlineData("12345678")]
    [InlineData(Umlaut)]
    [InlineData("long")]
    public void A_string_key_is_found_by_string_characters_and_utf8(string name)
    {
        var key = name == "long" ? Long : name;
        var view = new LookupsBufferedMessage(new Lookups { ByName = new() { [key] = 3, ["other"] = 4 } }.ToMessageArray()).ByName;
        var utf8 = System.Text.Encoding.UTF8.GetBytes(key);

        Assert.Equal((3, 3, 3), (view[key], view[key.AsSpan()], view[utf8]));
        Assert.True(view.ContainsKey(key) && view.ContainsKey(key.AsSpan()) && view.ContainsKey(utf8));
        Assert.True(view.TryGetValue(key, out var byText) && view.TryGetValue(key.AsSpan(), out _) && view.TryGetValue(utf8, out _));
        Assert.Equal(3, byText);
        Assert.False(view.ContainsKey(key + "x"));
    }

    [Fact]
    public void A_key_of_one_view_is_found_in_another()
    {
        var message = new Lookups { ByName = new() { ["a"] = 1, [Umlaut] = 2 }, Names = ["a", Umlaut] }.ToMessageArray();
        var view = new LookupsBufferedMessage(message);

        foreach (var (key, value) in new LookupsBufferedMessage(message.ToArray()).ByName)
        {
            Assert.True(view.Names.Contains(key) && view.ByName.ContainsKey(key));
            Assert.True(view.ByName.TryGetValue(key, out var found));
            Assert.Equal((value, value), (found, view.ByName[key]));
        }
    }

    [Fact]
    public void A_surrogate_without_its_partner_is_no_key() =>
        Assert.False(new LookupsBufferedMessage(new Lookups { ByName = new() { ["\uFFFD"] = 1 } }.ToMessageArray()).ByName.ContainsKey("\uD800"));

    [Fact]
    public void A_missing_key_is_named()
    {
        var message = new Lookups { ByName = new() { ["a"] = 1 }, ById = new() { [1] = "a" } }.ToMessageArray();

        Assert.Contains("'nowhere'", Assert.Throws<KeyNotFoundException>(() => new LookupsBufferedMessage(message).ByName["nowhere"]).Message, StringComparison.Ordinal);
        Assert.Contains("'Zürich'", Assert.Throws<KeyNotFoundException>(() => new LookupsBufferedMessage(message).ByName["Zürich"u8]).Message, StringComparison.Ordinal);
        Assert.Contains("'-7'", Assert.Throws<KeyNotFoundException>(() => new LookupsBufferedMessage(message).ById[-7].IsNull).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Null_and_empty_dictionaries_hold_nothing()
    {
        var none = new LookupsBufferedMessage(new Lookups().ToMessageArray());
        var empty = new LookupsBufferedMessage(new Lookups { ByName = [], ById = [], Names = [], Ids = [] }.ToMessageArray());

        Assert.True(none.ByName.IsNull && none.ById.IsNull && none.Names.IsNull && none.Ids.IsNull);
        Assert.False(empty.ByName.IsNull || empty.ById.IsNull || empty.Names.IsNull || empty.Ids.IsNull);
        Assert.Equal(0, none.ByName.Count + none.Ids.Count + empty.ByName.Count + empty.Ids.Count);
        Assert.False(none.ByName.ContainsKey("") || none.ById.ContainsKey(0) || none.Names.Contains("") || none.Ids.Contains(0));
        Assert.False(empty.ByName.ContainsKey("") || empty.ById.ContainsKey(0) || empty.Names.Contains("") || empty.Ids.Contains(0));
        foreach (var entry in none.ByName)
        {
            Assert.Fail($"There is no entry {entry.Value}.");
        }
    }

    [Fact]
    public void Entries_keys_and_values_come_in_the_same_order()
    {
        var source = new Lookups { ByName = Enumerable.Range(0, 50).ToDictionary(NameOf) };
        var view = new LookupsBufferedMessage(source.ToMessageArray()).ByName;

        var index = 0;
        foreach (var (key, value) in view)
        {
            Assert.Equal(source.ByName[key.ToString()!], value);
            Assert.True(view.Keys[index] == key);
            Assert.Equal(view.Values[index++], value);
        }

        Assert.Equal(50, index);
    }

    [Fact]
    public void Keys_that_were_chosen_for_one_bucket_are_found_too()
    {
        // 128 entries have 128 buckets; all of these are in the third.
        var names = Enumerable.Range(0, int.MaxValue).Select(NameOf).Where(static name => BucketOf(System.Text.Encoding.UTF8.GetBytes(name)) == 2).Take(128).ToList();
        var ids = Enumerable.Range(0, int.MaxValue).Where(static id => BucketOf(BitConverter.GetBytes((long)id)) == 2).Take(128).Select(static id => (long)id).ToList();
        var source = new Lookups { ByName = names.ToDictionary(static name => name, static name => name.Length), ById = ids.ToDictionary(static id => id, static id => (string?)$"{id}") };
        var view = new LookupsBufferedMessage(source.ToMessageArray());

        foreach (var name in names)
        {
            Assert.Equal(name.Length, view.ByName[name]);
        }

        foreach (var id in ids)
        {
            Assert.Equal(id.ToString(CultureInfo.InvariantCulture), view.ById[id].ToString());
        }

        Assert.False(view.ByName.ContainsKey("no such name"));
        Assert.Equal(source.ByName, view.ToLookups().ByName);
    }

    private static int BucketOf(byte[] key) => (int)(XxHash64.Hash(key) & 127);

    // Of 1 to 7 bytes and of more.
    private static string NameOf(int number) => number % 3 == 0 ? $"{number}" : $"a name with the number {number}";
}
