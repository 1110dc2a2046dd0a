using System.Numerics;
using System.Text;

namespace BufferedMessages.Runtime.Tests.Converters;

/// <summary>Types with a converter as elements, items, values and keys.</summary>
public class ConvertedCollectionTests
{
    private static readonly Uri First = new("https://example.org/first");
    private static readonly Uri Second = new("urn:2");

    [Fact]
    public void Elements_of_lists_are_converted_one_by_one()
    {
        var source = new Lists
        {
            Links = [First, null, Second],
            Symbols = [new Rune('a'), new Rune(0x1F600)],
            Marks = [new Rune('b'), null],
            Versions = [new Version(1, 2), null],
            Totals = new Queue<BigInteger>([1, BigInteger.Pow(3, 50)]),
            Prices = [new Money(1.5m, '$'), new Money(2, 'F')],
            Groups = [[First], [], [Second, First]],
            Pair = (First, new Money(3, '$')),
            Pairs = [(new Money(4, '$'), 5)],
            Ranges = [new Range2(1, 2), new Range2(3, 4)],
        };
        var bytes = source.ToMessageArray();
        Assert.Equal(source.CalculateSize(), bytes.Length);
        Assert.True(BufferedMessage.Verify<ListsBufferedMessage>(bytes, out var error, exact: true), error.ToString());

        var view = new ListsBufferedMessage(bytes);
        Assert.Equal(source.Links, ListOf(view.Links));
        Assert.Equal(source.Symbols, ListOf(view.Symbols));
        Assert.Equal(source.Marks, ListOf(view.Marks));
        Assert.Equal(source.Versions, ListOf(view.Versions));
        Assert.Equal(source.Totals, ListOf(view.Totals));
        Assert.Equal(source.Prices, ListOf(view.Prices));
        Assert.Equal(source.Ranges, ListOf(view.Ranges));
        Assert.Equal(3, view.Groups.Count);
        Assert.Equal<Uri?>(source.Groups[2], ListOf(view.Groups[2]));
        var (site, price) = view.Pair;
        Assert.Equal(source.Pair, (site, price));
        Assert.Equal(source.Pairs[0].Item1, view.Pairs[0].Item1);
        Assert.Equal("[https://example.org/first, null, urn:2]", view.Links.ToString());

        var copy = view.ToLists();
        Assert.Equal(source.Links, copy.Links);
        Assert.Equal(source.Symbols, copy.Symbols);
        Assert.Equal(source.Marks, copy.Marks);
        Assert.Equal(source.Versions, copy.Versions);
        Assert.Equal(source.Totals, copy.Totals);
        Assert.Equal(source.Prices, copy.Prices);
        Assert.Equal(source.Groups, copy.Groups);
        Assert.Equal(source.Pair, copy.Pair);
        Assert.Equal(source.Pairs, copy.Pairs);
        Assert.Equal(source.Ranges, copy.Ranges);
    }

    [Fact]
    public void Null_and_empty_lists_are_distinguished()
    {
        var view = new ListsBufferedMessage(new Lists { Links = [], Pair = (First, default) }.ToMessageArray());

        Assert.False(view.Links.IsNull);
        Assert.Equal(0, view.Links.Count);
        Assert.True(view.Symbols.IsNull);
        Assert.Equal(0, view.Symbols.Count);
    }

    [Fact]
    public void An_index_beyond_the_list_throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(static () => new ListsBufferedMessage(new Lists { Links = [First], Pair = (First, default) }.ToMessageArray()).Links[1]);
    }

    [Fact]
    public void Values_of_dictionaries_are_converted_and_keys_are_looked_up_as_they_are_stored()
    {
        var source = new Maps
        {
            Prices = new() { ["a"] = new Money(1, '$'), ["b"] = new Money(2, '$') },
            Visits = Enumerable.Range(0, 20).ToDictionary(static i => new Uri($"https://example.org/{i}")),
            BySymbol = new() { [new Rune('x')] = new Money(1, '$'), [new Rune('a')] = null },
            Sites = [First, Second],
            Versions = [new Version(1, 2), new Version(0, 9)],
            Nested = [new() { [First] = new Rune('n') }],
        };
        var bytes = source.ToMessageArray();
        Assert.Equal(source.CalculateSize(), bytes.Length);
        Assert.True(BufferedMessage.Verify<MapsBufferedMessage>(bytes, out var error, exact: true), error.ToString());

        var view = new MapsBufferedMessage(bytes);
        Assert.Equal(new Money(2, '$'), view.Prices["b"]);
        Assert.Equal(7, view.Visits["https://example.org/7"u8]);
        Assert.Equal(new Money(1, '$'), view.BySymbol['x']);
        Assert.Null(view.BySymbol['a']);
        Assert.True(view.Sites.Contains("urn:2"));
        Assert.True(view.Versions.Contains((1L << 32) | 2));
        Assert.Equal(new Rune('n'), view.Nested[0][First.OriginalString]);

        var copy = view.ToMaps();
        Assert.Equal(source.Prices, copy.Prices);
        Assert.Equal(source.Visits, copy.Visits);
        Assert.Equal(source.BySymbol, copy.BySymbol);
        Assert.True(source.Sites.SetEquals(copy.Sites!));
        Assert.True(source.Versions.SetEquals(copy.Versions!));
        Assert.Equal(source.Nested, copy.Nested);
    }

    [Fact]
    public void A_null_in_a_set_cannot_be_written()
    {
        var source = new Maps { Versions = [null!] };

        Assert.Contains("null", Assert.Throws<ArgumentException>(() => source.ToMessageArray()).Message, StringComparison.Ordinal);
    }

    private static List<T> ListOf<T, TView, TList, TConverter>(BufferedConvertedList<T, TView, TList, TConverter> list)
        where TView : allows ref struct
        where TList : IBufferedList<TList, TView>, allows ref struct
        where TConverter : BufferedMessages.Wire.IViewConverter<T, TView>
    {
        var found = new List<T>();
        foreach (var element in list)
        {
            found.Add(element);
        }

        for (var i = 0; i < list.Count; i++)
        {
            Assert.Equal(found[i], list[i]);
        }

        return found;
    }
}
