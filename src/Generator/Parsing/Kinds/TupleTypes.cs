using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The types of the framework that are stored as anonymous messages.</summary>
internal static class TupleTypes
{
    public const string Tuple = "Tuple";
    public const string KeyValuePair = "KeyValuePair";

    private const string Generic = "System.Collections.Generic";

    /// <summary>Gets the name and the items of a tuple type; null for other types. Long tuples are flattened: no nested rest.</summary>
    public static (string Name, IReadOnlyList<(string Name, ITypeSymbol Type)> Items)? Describe(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol { IsTupleType: true, TupleElements: { Length: > 1 } elements } =>
            (Tuple, [.. elements.Select(static element => (element.Name, element.Type))]),
        INamedTypeSymbol { TypeArguments: [var key, var value] } named when named.Is(Generic, "KeyValuePair`2") =>
            (KeyValuePair, [("Key", key), ("Value", value)]),
        _ => null,
    };

    /// <summary>Gets the reason why a type that resembles a tuple cannot be stored; null for other types.</summary>
    public static string? Refusal(INamedTypeSymbol type)
    {
        if (!type.ContainingNamespace.IsNamed("System") || type.ContainingType is not null)
        {
            return null;
        }

        return type.Name switch
        {
            nameof(ValueTuple) when type.Arity < 2 => "a tuple has at least two items; use the type of the item itself",
            nameof(ValueTuple) => "its last type argument is not a tuple; write the tuple as (A, B, ...)",
            nameof(System.Tuple) => "it is a class whose items have no names; use a tuple such as (int Id, string Name)",
            _ => null,
        };
    }
}
