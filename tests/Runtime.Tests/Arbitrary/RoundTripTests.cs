using Xunit.Abstractions;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

[Collection(ArbitraryTypesCollection.Name)]
public class RoundTripTests(ArbitraryTypes types, ITestOutputHelper output)
{
    // Fewer than the 30 calls after which the runtime compiles a method once more, for speed.
    private const int ValuesPerType = 24;

    [Fact]
    public void Random_values_of_random_types_round_trip()
    {
        output.WriteLine($"{types.Cases.Count} types, {ValuesPerType} values each, seed {types.Seed}");
        Assert.True(types.Cases.Count >= 300);
        foreach (var @case in types.Cases)
        {
            for (var round = 0; round < ValuesPerType; round++)
            {
                types.Check(@case, round, static (type, values) => type.RoundTrip(values));
            }
        }
    }

    [Fact]
    public void Older_and_newer_types_read_each_other()
    {
        output.WriteLine($"{types.EvolutionCases.Count} pairs of types, {ValuesPerType} values each, seed {types.Seed}");
        Assert.True(types.EvolutionCases.Count >= 100);
        foreach (var @case in types.EvolutionCases)
        {
            for (var round = 0; round < ValuesPerType; round++)
            {
                types.Check(@case, round, static (pair, values) => pair.ReadEachOther(values));
            }
        }
    }
}
