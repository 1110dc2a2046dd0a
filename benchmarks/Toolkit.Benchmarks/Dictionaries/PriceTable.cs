using BufferedMessages;

namespace Toolkit.Benchmarks.Dictionaries;

/// <summary>Prices by name, as a dictionary.</summary>
[BufferedMessageSource]
public sealed partial class PriceTable
{
    public Dictionary<string, long> Prices { get; set; } = [];

    /// <summary>Makes a table with so many names of 5 to 25 characters.</summary>
    public static PriceTable Create(int count) => new() { Prices = Enumerable.Range(0, count).ToDictionary(NameOf, static i => (long)i, StringComparer.Ordinal) };

    private static string NameOf(int number) => (number % 3) switch
    {
        0 => $"A{number * 7919L % 10_000_019}",
        1 => $"article {number * 7919L % 10_000_019}",
        _ => $"article of group {number * 7919L % 10_000_019}",
    };
}
