using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The types of the framework that are stored as anonymous messages.</summary>
internal static class TupleTypes
{
    public const string Tuple = "Tuple";
    public const string KeyValuePair = "KeyValuePair";

    private const string Generic = "System.Collections.Generic";

    // A string that may be null stays one in the tuple that the view gives.
    private static readonly SymbolDisplayFormat WithNulls =
        SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>What the type is, and its items; null for other types. All items of long tuples are there, not seven and a rest.</summary>
    public static (string Name, IReadOnlyList<(string Name, ITypeSymbol Type)> Items)? Describe(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol { IsTupleType: true, TupleElements: { Length: > 1 } elements } =>
            (Tuple, [.. elements.Select(static element => (element.Name, element.Type))]),
        INamedTypeSymbol { TypeArguments: [var key, var value] } named when named.Is(Generic, "KeyValuePair`2") =>
            (KeyValuePair, [("Key", key), ("Value", value)]),
        _ => null,
    };

    /// <summary>The type as it can be written anywhere.</summary>
    public static string NameOf(ITypeSymbol type) => type.ToDisplayString(WithNulls);

    /// <summary>Why a type that looks like a tuple is none; null for other types.</summary>
    public static string? Refusal(INamedTypeSymbol type)
    {
        if (!type.ContainingNamespace.IsNamed("System") || type.ContainingType is not null)
        {
            return null;
        }

        return type.Name switch
        {
            nameof(ValueTuple) when type.Arity < 2 => "a tuple has at least two items; use the type of the item itself",
            nameof(ValueTuple) => "its last type argument is no tuple; write the tuple as (A, B, ...)",
            nameof(System.Tuple) => "it is a class whose items have no names; use a tuple such as (int Id, string Name)",
            _ => null,
        };
    }
}
