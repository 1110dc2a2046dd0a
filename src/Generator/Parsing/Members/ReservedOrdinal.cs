using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The ordinal that one <c>[BufferedReserved]</c> reserves.</summary>
/// <param name="Owner">The type that has the attribute.</param>
/// <param name="Ordinal">The ordinal that the removed member had.</param>
/// <param name="Type">The type of that member; null if the attribute does not name it.</param>
/// <param name="Kind">The kind of that member, or the reason why it has none.</param>
internal readonly record struct ReservedOrdinal(INamedTypeSymbol Owner, int Ordinal, ITypeSymbol? Type, KindResult Kind)
{
    public const string ReservedAttribute = "BufferedReservedAttribute";

    /// <summary>Gets the reserved ordinals of a type and its bases.</summary>
    public static IReadOnlyList<ReservedOrdinal> Of(INamedTypeSymbol source, Compilation compilation)
    {
        var kinds = new KindParser(compilation);
        return
        [
            .. from type in source.BaseFirst()
               from attribute in type.ProductAttributes(ReservedAttribute)
               where attribute.ConstructorArguments is [{ Value: int }, { Kind: not TypedConstantKind.Error }] || (IsWithoutType(attribute) && !UnionType.IsUnion(type))
               let reserved = attribute.ConstructorArguments.ElementAtOrDefault(1).Value as ITypeSymbol
               select new ReservedOrdinal(type, (int)attribute.ConstructorArguments[0].Value!, reserved, KindOf(reserved, kinds)),
        ];
    }

    /// <summary>Gets the reserved numbers of a union's cases. An attribute with a type reserves an ordinal of the members of derived types instead.</summary>
    public static IReadOnlyList<(AttributeData Attribute, int Number)> OfCases(INamedTypeSymbol union) =>
        [.. union.ProductAttributes(ReservedAttribute).Where(IsWithoutType).Select(static attribute => (attribute, (int)attribute.ConstructorArguments[0].Value!))];

    private static KindResult KindOf(ITypeSymbol? type, KindParser kinds) => type switch
    {
        null => KindResult.Silent,
        { SpecialType: SpecialType.System_Void } => KindResult.Unsupported("no member has it; name the type of the removed member"),
        INamedTypeSymbol { IsUnboundGenericType: true } => KindResult.Unsupported("it has no type arguments; name them too"),
        _ => kinds.Parse(type),
    };

    private static bool IsWithoutType(AttributeData attribute) => attribute.ConstructorArguments is [{ Value: int }];
}
