using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// The random types of this run. A plain seeded Random makes them, because shrinking a C# program says less than the seed and the
/// type's name do. Set BUFFEREDMESSAGES_SEED to a seed that a failure printed to get the same types and values again.
/// </summary>
public sealed class ArbitraryTypes
{
    private const int TypeCount = 260;
    private const string SeedVariable = "BUFFEREDMESSAGES_SEED";

    public ArbitraryTypes()
    {
        Seed = int.TryParse(Environment.GetEnvironmentVariable(SeedVariable), CultureInfo.InvariantCulture, out var seed) ? seed : Random.Shared.Next();
        var types = GeneratedProgram.Load(ArbitraryProgram.Make(Seed, TypeCount)).GetExportedTypes();
        Cases = [.. InstancesOf<MessageCase>(types)];
        EvolutionCases = [.. InstancesOf<EvolutionCase>(types)];
    }

    public int Seed { get; }

    public IReadOnlyList<MessageCase> Cases { get; }

    public IReadOnlyList<EvolutionCase> EvolutionCases { get; }

    /// <summary>Runs a check on a case with values of its own, and says how to get a failure again.</summary>
    public void Check<TCase>(TCase @case, int round, Action<TCase, ArbitraryValues> check)
        where TCase : notnull
    {
        try
        {
            check(@case, new ArbitraryValues(unchecked(Seed + (round * 7919))));
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException($"{@case.GetType().Name}, round {round}, {SeedVariable}={Seed}: {failure.Message}", failure);
        }
    }

    private static IEnumerable<TCase> InstancesOf<TCase>(IEnumerable<Type> types) =>
        types.Where(type => type.IsSubclassOf(typeof(TCase))).Select(type => (TCase)Activator.CreateInstance(type)!);
}

/// <summary>The tests that share the random types of a run.</summary>
[CollectionDefinition(Name)]
public sealed class ArbitraryTypesCollection : ICollectionFixture<ArbitraryTypes>
{
    public const string Name = "Random types";
}
