using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The collection types that are stored as dictionaries and sets.</summary>
internal static class DictionaryTypes
{
    private const string Generic = "System.Collections.Generic";
    private const string Immutable = "System.Collections.Immutable";
    private const string Frozen = "System.Collections.Frozen";

    private static readonly (string Namespace, string Name, bool IsCopied)[] Dictionaries =
    [
        (Generic, "Dictionary`2", false),
        (Generic, "IDictionary`2", false),
        (Generic, "IReadOnlyDictionary`2", false),
        (Generic, "SortedDictionary`2", true),
        ("System.Collections.Concurrent", "ConcurrentDictionary`2", true),
        (Immutable, "ImmutableDictionary`2", true),
        (Immutable, "ImmutableSortedDictionary`2", true),
        (Frozen, "FrozenDictionary`2", true),
    ];

    private static readonly (string Namespace, string Name, bool IsCopied)[] Sets =
    [
        (Generic, "HashSet`1", false),
        (Generic, "ISet`1", false),
        (Generic, "IReadOnlySet`1", false),
        (Generic, "SortedSet`1", true),
        (Immutable, "ImmutableHashSet`1", true),
        (Frozen, "FrozenSet`1", true),
    ];

    /// <summary>Gets whether a dictionary is copied, its key type and its value type; null for other types.</summary>
    public static (bool IsCopied, ITypeSymbol Key, ITypeSymbol Value)? DescribeDictionary(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeArguments: [var key, var value] } named && named.FoundIn(Dictionaries) is { } isCopied ? (isCopied, key, value) : null;

    /// <summary>Gets whether a set is copied, and its element type; null for other types.</summary>
    public static (bool IsCopied, ITypeSymbol Element)? DescribeSet(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeArguments: [var element] } named && named.FoundIn(Sets) is { } isCopied ? (isCopied, element) : null;

    /// <summary>Determines whether a dictionary or a set is sorted by its keys.</summary>
    public static bool IsSorted(ITypeSymbol type) => type.Name is "SortedDictionary" or "ImmutableSortedDictionary" or "SortedSet";
}
