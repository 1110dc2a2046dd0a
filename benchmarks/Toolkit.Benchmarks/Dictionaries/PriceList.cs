using BufferedMessages;

namespace Toolkit.Benchmarks.Dictionaries;

/// <summary>The same prices as a list of pairs.</summary>
[BufferedMessageSource]
public sealed partial class PriceList
{
    public List<NamedPrice> Prices { get; set; } = [];

    /// <summary>Makes a list of the entries of a table.</summary>
    public static PriceList Of(PriceTable table) =>
        new() { Prices = [.. table.Prices.Select(static entry => new NamedPrice { Name = entry.Key, Price = entry.Value })] };
}
