using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The collection types that are stored as lists and binaries.</summary>
internal static class CollectionTypes
{
    private const string Generic = "System.Collections.Generic";
    private const string Immutable = "System.Collections.Immutable";
    private const string Observable = "System.Collections.ObjectModel";

    private static readonly (string Namespace, string Name, CollectionShape Shape)[] Collections =
    [
        (Generic, "List`1", CollectionShape.List),
        ("System", "ArraySegment`1", CollectionShape.ArraySegment),
        (Immutable, "ImmutableArray`1", CollectionShape.ImmutableArray),
        ("System", "Memory`1", CollectionShape.Memory),
        ("System", "ReadOnlyMemory`1", CollectionShape.ReadOnlyMemory),
        (Generic, "IList`1", CollectionShape.Interface),
        (Generic, "ICollection`1", CollectionShape.Interface),
        (Generic, "IReadOnlyList`1", CollectionShape.ReadOnlyInterface),
        (Generic, "IReadOnlyCollection`1", CollectionShape.ReadOnlyInterface),
        (Generic, "IEnumerable`1", CollectionShape.ReadOnlyInterface),
        (Immutable, "ImmutableList`1", CollectionShape.Copied),
        (Generic, "Queue`1", CollectionShape.Copied),
        (Generic, "Stack`1", CollectionShape.Copied),
        (Generic, "LinkedList`1", CollectionShape.Copied),
        (Observable, "Collection`1", CollectionShape.Copied),
        (Observable, "ReadOnlyCollection`1", CollectionShape.Copied),
        (Observable, "ObservableCollection`1", CollectionShape.Copied),
    ];

    /// <summary>Gets the shape and the element type of a collection; null for other types.</summary>
    public static (CollectionShape Shape, ITypeSymbol Element)? Describe(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { IsSZArray: true } array => (CollectionShape.Array, array.ElementType),
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T, TypeArguments: [INamedTypeSymbol value] } =>
            DescribeNamed(value) is var (shape, element) && Nullable(shape) is { } nullable ? (nullable, element) : null,
        INamedTypeSymbol named => DescribeNamed(named),
        _ => null,
    };

    /// <summary>Determines whether the type holds contiguous bytes and is stored as a binary. A list of bytes is a list.</summary>
    public static bool IsBinary(CollectionShape shape, ITypeSymbol element) =>
        element.SpecialType == SpecialType.System_Byte && shape is not CollectionShape.List and < CollectionShape.Interface;

    private static (CollectionShape Shape, ITypeSymbol Element)? DescribeNamed(INamedTypeSymbol type) =>
        type is { TypeArguments: [var element] } && type.FoundIn(Collections) is { } shape ? (shape, element) : null;

    private static CollectionShape? Nullable(CollectionShape shape) => shape switch
    {
        CollectionShape.ArraySegment => CollectionShape.NullableArraySegment,
        CollectionShape.ImmutableArray => CollectionShape.NullableImmutableArray,
        CollectionShape.Memory => CollectionShape.NullableMemory,
        CollectionShape.ReadOnlyMemory => CollectionShape.NullableReadOnlyMemory,
        _ => null,
    };
}
