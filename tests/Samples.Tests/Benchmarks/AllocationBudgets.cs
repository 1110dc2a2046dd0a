using System.Globalization;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Benchmarks;

/// <summary>
/// The committed budgets: lines of scenario, operation and the managed bytes that one operation of ours may allocate.
/// </summary>
internal static class AllocationBudgets
{
    public const string Path = "benchmarks/allocation-budgets.txt";
    public const string Ours = "BufferedMessages";

    public static IReadOnlyDictionary<string, long> All { get; } =
        Repository.Read(Path).Split('\n')
            .Where(line => line.Length != 0 && !line.StartsWith('#'))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .ToDictionary(words => $"{words[0]} {words[1]}", words => long.Parse(words[2], CultureInfo.InvariantCulture), StringComparer.Ordinal);
}
