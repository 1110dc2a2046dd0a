using System.Net;
using System.Numerics;
using System.Text;

namespace BufferedMessages.Runtime.Tests.Converters;

[BufferedMessageSource]
public partial class Shop
{
    public Uri? Site { get; set; }
    public Rune Symbol { get; set; }
    public Rune? Mark { get; set; }
    public Version? Version { get; set; }
    public BigInteger Total { get; set; }
    public BigInteger? Most { get; set; }
    public Money Price { get; set; }
    public Money? Discount { get; set; }

    [BufferedMessageConverter(typeof(CentsConverter))]
    public Money Fee { get; set; }

    [BufferedMessageConverter(typeof(Range2Converter))]
    public Range2 Range { get; set; }
}

/// <summary>The same kinds without converters.</summary>
[BufferedMessageSource]
public partial class PlainShop
{
    public string? Site { get; set; }
    public int Symbol { get; set; }
    public int? Mark { get; set; }
    public long? Version { get; set; }
    public byte[]? Total { get; set; }
    public byte[]? Most { get; set; }
    public string? Price { get; set; }
    public string? Discount { get; set; }
    public long Fee { get; set; }
    public Span2 Range { get; set; }
}

[BufferedMessageSource]
public partial class Memories
{
    [BufferedMessageConverter(typeof(AddressConverter))]
    public IPAddress? Host { get; set; }

    [BufferedMessageConverter(typeof(AddressConverter))]
    public List<IPAddress?>? Peers { get; set; }

    [BufferedMessageConverter(typeof(NumberConverter))]
    public BigInteger Total { get; set; }

    [BufferedMessageConverter(typeof(NumberConverter))]
    public BigInteger? Most { get; set; }
}

[BufferedMessageSource]
public partial class Lists
{
    public List<Uri?>? Links { get; set; }
    public Rune[]? Symbols { get; set; }
    public List<Rune?>? Marks { get; set; }
    public Version?[]? Versions { get; set; }
    public Queue<BigInteger>? Totals { get; set; }
    public Money[]? Prices { get; set; }
    public List<List<Uri>>? Groups { get; set; }
    public (Uri Site, Money Price) Pair { get; set; }
    public List<(Money, int)>? Pairs { get; set; }

    [BufferedMessageConverter(typeof(Range2Converter))]
    public List<Range2>? Ranges { get; set; }
}

[BufferedMessageSource]
public partial class Maps
{
    public Dictionary<string, Money>? Prices { get; set; }
    public Dictionary<Uri, int>? Visits { get; set; }
    public SortedDictionary<Rune, Money?>? BySymbol { get; set; }
    public HashSet<Uri>? Sites { get; set; }
    public HashSet<Version>? Versions { get; set; }
    public List<Dictionary<Uri, Rune>>? Nested { get; set; }
}

[BufferedMessageSource(GenerateWriter = true)]
public partial class Written
{
    public Rune Symbol { get; set; }
    public Version? Version { get; set; }
    public Uri? Site { get; set; }
    public Money Price { get; set; }
    public BigInteger Total { get; set; }
    public List<Uri>? Links { get; set; }
}

[BufferedMessageSource]
public partial class Required
{
    public required Uri Site { get; init; }
    public Uri Home { get; init; } = new("https://home.example/");
    public Money Price { get; init; } = new(1, 'x');
}

[BufferedMessageSource]
public partial record Positional(Uri Site, Money? Price);

/// <summary>The kinds of <see cref="Lists"/> that tests write without a converter.</summary>
[BufferedMessageSource]
public partial class PlainLists
{
    public List<string>? Links { get; set; }
    public int[]? Symbols { get; set; }
}

/// <summary>The kinds of <see cref="Maps"/> that tests write without a converter.</summary>
[BufferedMessageSource]
public partial class PlainMaps
{
    public Dictionary<string, string>? Prices { get; set; }
    public Dictionary<string, int>? Visits { get; set; }
}

/// <summary>An older <see cref="Shop"/>.</summary>
[BufferedMessageSource]
public partial class OldShop
{
    public string? Site { get; set; }
}
