using System.Collections;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Text;

namespace BufferedMessages.Runtime.Tests.Wire;

[BufferedMessageSource]
internal partial class Stock
{
    public IReadOnlyDictionary<string, string?>? Places { get; set; }
    public ISet<string>? Names { get; set; }
    public ConcurrentDictionary<int, Tally>? Tallies { get; set; }
}

public class DictionaryWriteTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(20)]
    public void Two_keys_with_the_same_bytes_are_refused_by_name(int count)
    {
        var places = new Dictionary<string, string?>(ByReference.Instance);
        for (var i = 0; i < count - 2; i++)
        {
            places.Add($"key {i}", null);
        }

        places.Add(new string("twice".AsSpan()), "a");
        places.Add(new string("twice".AsSpan()), "b");
        var stock = new Stock { Places = places };

        Assert.Equal("twice", Assert.Throws<DuplicateKeyException>(() => stock.Write(new byte[4096])).Key);
        Assert.Contains("'twice'", Assert.Throws<DuplicateKeyException>(() => stock.Write(new byte[4096])).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("abcd", "abcde", "abc", "abcd\0", "", "\0")]
    [InlineData("\uFFFD", "\U00010000", "\uE000", "\uD7FF", "\U0010FFFF", "\u00E9", "z")]
    [InlineData("same\uFFFD", "same\U00010000", "same", "same and more", "same\uE000")]
    public void Few_keys_are_stored_in_the_order_of_their_bytes(params string[] keys)
    {
        var message = new Stock { Places = keys.ToDictionary(static key => key, static key => (string?)key, StringComparer.Ordinal) }.ToMessageArray();

        var stored = new List<string?>();
        foreach (var key in new StockBufferedMessage(message).Places.Keys)
        {
            stored.Add(key.ToString());
        }

        Assert.Equal(keys.OrderBy(static key => Convert.ToHexString(Encoding.UTF8.GetBytes(key)), StringComparer.Ordinal), stored);
        Assert.True(BufferedMessage.Verify<StockBufferedMessage>(message, out _));
    }

    [Fact]
    public void Two_elements_of_a_set_with_the_same_bytes_are_refused() =>
        Assert.Equal("twice", Assert.Throws<DuplicateKeyException>(() => new Stock
        {
            Names = new HashSet<string>(ByReference.Instance) { new("twice".AsSpan()), new("twice".AsSpan()) },
        }.Write(new byte[4096])).Key);

    [Fact]
    public void Null_in_a_set_is_refused() =>
        Assert.Contains("null", Assert.Throws<ArgumentException>(() => new Stock { Names = new HashSet<string> { null! } }.Write(new byte[4096])).Message, StringComparison.Ordinal);

    [Fact]
    public void A_key_that_is_no_text_is_refused() =>
        Assert.Contains(
            "surrogate",
            Assert.Throws<ArgumentException>(() => new Stock { Places = new Dictionary<string, string?> { ["\uDC00"] = "a" } }.Write(new byte[4096])).Message,
            StringComparison.Ordinal);

    [Fact]
    public void A_source_that_grows_between_size_and_write_never_writes_outside()
    {
        var growing = new Growing();
        var stock = new Stock { Places = growing };
        var size = stock.CalculateSize();
        var buffer = new byte[size + 1000];
        growing.Count += 10;

        Assert.Throws<ArgumentException>(() => stock.Write(buffer.AsSpan(0, size)));
        Assert.True(buffer.AsSpan(size).IndexOfAnyExcept((byte)0) < 0);
    }

    [Fact]
    public void A_dictionary_that_changes_all_the_time_is_written_as_it_was_at_some_moment()
    {
        var stock = new Stock { Tallies = new ConcurrentDictionary<int, Tally>() };
        var isDone = false;
        var changing = new Thread(() =>
        {
            for (var i = 0; !Volatile.Read(ref isDone); i++)
            {
                stock.Tallies[i % 500] = new Tally { Number = i % 500 };
                stock.Tallies.TryRemove((i * 7) % 500, out _);
            }
        });
        changing.Start();
        try
        {
            var buffer = new byte[100_000];
            for (var round = 0; round < 2000; round++)
            {
                stock.Write(buffer);
                foreach (var (key, tally) in new StockBufferedMessage(buffer).Tallies)
                {
                    Assert.Equal(key, tally.Number);
                }
            }
        }
        finally
        {
            Volatile.Write(ref isDone, true);
            changing.Join();
        }
    }

    [Fact]
    public void The_order_of_the_source_does_not_matter()
    {
        var names = Enumerable.Range(0, 40).Select(static i => $"name {i}").ToList();
        var forward = new Stock { Places = names.ToDictionary(static name => name, static name => (string?)name) };
        var backward = new Stock { Places = names.AsEnumerable().Reverse().ToDictionary(static name => name, static name => (string?)name) };

        Assert.Equal(Convert.ToHexString(forward.ToMessageArray()), Convert.ToHexString(backward.ToMessageArray()));
    }

    private sealed class ByReference : IEqualityComparer<string>
    {
        public static readonly ByReference Instance = new();

        public bool Equals(string? x, string? y) => ReferenceEquals(x, y);

        public int GetHashCode(string obj) => RuntimeHelpers.GetHashCode(obj);
    }

    private sealed class Growing : IReadOnlyDictionary<string, string?>
    {
        public int Count { get; set; } = 5;

        public IEnumerable<string> Keys => throw new NotSupportedException();

        public IEnumerable<string?> Values => throw new NotSupportedException();

        public string? this[string key] => throw new NotSupportedException();

        public bool ContainsKey(string key) => throw new NotSupportedException();

        public bool TryGetValue(string key, out string? value) => throw new NotSupportedException();

        public IEnumerator<KeyValuePair<string, string?>> GetEnumerator() =>
            Enumerable.Range(0, Count).Select(static i => new KeyValuePair<string, string?>($"a longer key {i}", "a longer value")).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
