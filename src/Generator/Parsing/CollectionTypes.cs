using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The collection types that are stored as lists and binaries.</summary>
internal static class CollectionTypes
{
    /// <summary>The shape and the element type of a collection; null for other types.</summary>
    public static (CollectionShape Shape, ITypeSymbol Element)? Describe(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { IsSZArray: true } array => (CollectionShape.Array, array.ElementType),
        INamedTypeSymbol { IsGenericType: true, TypeArguments: [var element] } named => Describe(named, element),
        _ => null,
    };

    /// <summary>Whether the type is one of bytes, stored as a binary. A list of bytes is a list.</summary>
    public static bool IsBinary(CollectionShape shape, ITypeSymbol element) =>
        element.SpecialType == SpecialType.System_Byte && shape is not (CollectionShape.List or CollectionShape.ReadOnlyInterface);

    private static (CollectionShape Shape, ITypeSymbol Element)? Describe(INamedTypeSymbol type, ITypeSymbol element)
    {
        switch (type.OriginalDefinition.SpecialType)
        {
            case SpecialType.System_Nullable_T:
                return element is INamedTypeSymbol { IsGenericType: true, TypeArguments: [var inner] } value && Describe(value, inner) is var (shape, _) && Nullable(shape) is { } nullable
                    ? (nullable, inner)
                    : null;
            case SpecialType.System_Collections_Generic_IList_T:
            case SpecialType.System_Collections_Generic_ICollection_T:
                return (CollectionShape.List, element);
            case SpecialType.System_Collections_Generic_IEnumerable_T:
            case SpecialType.System_Collections_Generic_IReadOnlyList_T:
            case SpecialType.System_Collections_Generic_IReadOnlyCollection_T:
                return (CollectionShape.ReadOnlyInterface, element);
        }

        if (type.Is("System.Collections.Generic", "List`1"))
        {
            return (CollectionShape.List, element);
        }

        if (type.Is("System.Collections.Immutable", "ImmutableArray`1"))
        {
            return (CollectionShape.ImmutableArray, element);
        }

        if (type.Is("System", "Memory`1"))
        {
            return (CollectionShape.Memory, element);
        }

        return type.Is("System", "ReadOnlyMemory`1") ? (CollectionShape.ReadOnlyMemory, element) : null;
    }

    private static CollectionShape? Nullable(CollectionShape shape) => shape switch
    {
        CollectionShape.ImmutableArray => CollectionShape.NullableImmutableArray,
        CollectionShape.Memory => CollectionShape.NullableMemory,
        CollectionShape.ReadOnlyMemory => CollectionShape.NullableReadOnlyMemory,
        _ => null,
    };
}
