using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The collection types that are stored as dictionaries and sets.</summary>
internal static class DictionaryTypes
{
    private const string Generic = "System.Collections.Generic";
    private const string Immutable = "System.Collections.Immutable";
    private const string Frozen = "System.Collections.Frozen";

    private static readonly (string Namespace, string Name, DictionaryShape Shape)[] Dictionaries =
    [
        (Generic, "Dictionary`2", DictionaryShape.Dictionary),
        (Generic, "IDictionary`2", DictionaryShape.Interface),
        (Generic, "IReadOnlyDictionary`2", DictionaryShape.ReadOnlyInterface),
        (Generic, "SortedDictionary`2", DictionaryShape.Sorted),
        ("System.Collections.Concurrent", "ConcurrentDictionary`2", DictionaryShape.Concurrent),
        (Immutable, "ImmutableDictionary`2", DictionaryShape.Immutable),
        (Immutable, "ImmutableSortedDictionary`2", DictionaryShape.ImmutableSorted),
        (Frozen, "FrozenDictionary`2", DictionaryShape.Frozen),
    ];

    private static readonly (string Namespace, string Name, SetShape Shape)[] Sets =
    [
        (Generic, "HashSet`1", SetShape.Hash),
        (Generic, "ISet`1", SetShape.Interface),
        (Generic, "IReadOnlySet`1", SetShape.ReadOnlyInterface),
        (Generic, "SortedSet`1", SetShape.Sorted),
        (Immutable, "ImmutableHashSet`1", SetShape.Immutable),
        (Frozen, "FrozenSet`1", SetShape.Frozen),
    ];

    /// <summary>Gets the shape, the key type and the value type of a dictionary; null for other types.</summary>
    public static (DictionaryShape Shape, ITypeSymbol Key, ITypeSymbol Value)? DescribeDictionary(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol { IsGenericType: true, TypeArguments: [var key, var value] } named)
        {
            foreach (var (containingNamespace, name, shape) in Dictionaries)
            {
                if (named.Is(containingNamespace, name))
                {
                    return (shape, key, value);
                }
            }
        }

        return null;
    }

    /// <summary>Gets the shape and the element type of a set; null for other types.</summary>
    public static (SetShape Shape, ITypeSymbol Element)? DescribeSet(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol { IsGenericType: true, TypeArguments: [var element] } named)
        {
            foreach (var (containingNamespace, name, shape) in Sets)
            {
                if (named.Is(containingNamespace, name))
                {
                    return (shape, element);
                }
            }
        }

        return null;
    }
}
