using System.Globalization;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// Puts the members into ordinal order. Wrong ordinals would change the layout silently, so they end in code that does not compile.
/// </summary>
internal static class OrdinalParser
{
    /// <summary>The members in ordinal order, or in the order of declaration with the first error.</summary>
    public static (IReadOnlyList<MemberCandidate> Members, string? Error) Arrange(
        INamedTypeSymbol source,
        IReadOnlyList<MemberCandidate> members,
        IReadOnlyList<int> skippedOrdinals,
        IProblemSink? sink)
    {
        if (members.All(static member => member.Ordinal is null))
        {
            return (members, null);
        }

        string? error = null;
        var byOrdinal = new SortedDictionary<int, MemberCandidate>();
        foreach (var member in members)
        {
            error = Place(source, member, byOrdinal, members.Count + skippedOrdinals.Count, sink) ?? error;
        }

        return error is null ? ([.. byOrdinal.Values], null) : (members, error);
    }

    private static string? Place(
        INamedTypeSymbol source,
        MemberCandidate member,
        SortedDictionary<int, MemberCandidate> byOrdinal,
        int count,
        IProblemSink? sink)
    {
        var name = member.Symbol.Name;
        if (member.Ordinal is not { } ordinal)
        {
            sink?.Report(Problem.MissingOrdinal, member.Symbol, source.Name, name);
            return $"{Problem.MissingOrdinal}: '{name}' of '{source.Name}' has no ordinal, other members have one";
        }

        var number = ordinal.ToString(CultureInfo.InvariantCulture);
        if (ordinal < 0 || ordinal >= count)
        {
            var last = (count - 1).ToString(CultureInfo.InvariantCulture);
            sink?.Report(Problem.OrdinalGap, member.Symbol, source.Name, name, number, last);
            return $"{Problem.OrdinalGap}: the ordinal {number} of '{name}' of '{source.Name}' is not between 0 and {last}";
        }

        if (byOrdinal.TryGetValue(ordinal, out var other))
        {
            sink?.Report(Problem.DuplicateOrdinal, member.Symbol, source.Name, name, number, other.Symbol.Name);
            return $"{Problem.DuplicateOrdinal}: '{name}' and '{other.Symbol.Name}' of '{source.Name}' have the ordinal {number}";
        }

        byOrdinal.Add(ordinal, member);
        return null;
    }
}
