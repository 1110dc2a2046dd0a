using System.Globalization;
using Xunit.Abstractions;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

[Collection(ArbitraryTypesCollection.Name)]
public class ExplainArbitraryTests(ArbitraryTypes types, ITestOutputHelper output)
{
    private const int ValuesPerType = 5;
    private const int DamagesPerType = 5;

    [Fact]
    public void Every_byte_of_a_random_message_has_a_name()
    {
        output.WriteLine($"{types.Cases.Count} types, {ValuesPerType} values each, seed {types.Seed}");
        foreach (var @case in types.Cases.Where(one => !one.IsFromNewerWriter))
        {
            for (var round = 0; round < ValuesPerType; round++)
            {
                types.Check(@case, round, static (target, values) =>
                {
                    var message = target.MakeMessage(values);
                    var listing = BufferedMessage.Explain(message, target.Schema);
                    Assert.DoesNotContain("belongs to no member", listing, StringComparison.Ordinal);
                    Assert.DoesNotContain("not reached", listing, StringComparison.Ordinal);
                    AssertListsEveryByte(message, listing);
                });
            }
        }
    }

    [Fact]
    public void A_damaged_message_is_listed_in_whole()
    {
        foreach (var @case in types.Cases)
        {
            types.Check(@case, 0, static (target, values) =>
            {
                var message = target.MakeMessage(values);
                var random = new Random(message.Length);
                for (var round = 0; round < DamagesPerType; round++)
                {
                    var damaged = message.ToArray();
                    damaged[random.Next(8, damaged.Length)] = (byte)random.Next(256);
                    AssertListsEveryByte(damaged, BufferedMessage.Explain(damaged, target.Schema));
                }
            });
        }
    }

    private static void AssertListsEveryByte(byte[] message, string listing)
    {
        var bytes = new List<byte>();
        foreach (var line in listing.Split('\n').Where(line => line.Length > 8 && int.TryParse(line.AsSpan(0, 6), CultureInfo.InvariantCulture, out _)))
        {
            Assert.Equal(bytes.Count, int.Parse(line.AsSpan(0, 6), CultureInfo.InvariantCulture));
            bytes.AddRange(Convert.FromHexString(line[8..Math.Min(line.Length, 32)].Replace(" ", "", StringComparison.Ordinal)));
        }

        Assert.Equal(Convert.ToHexString(message), Convert.ToHexString(bytes.ToArray()));
    }
}
