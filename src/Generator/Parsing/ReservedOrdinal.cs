using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>What one <c>[BufferedReserved]</c> says.</summary>
/// <param name="Ordinal">The ordinal that the removed member had.</param>
/// <param name="Type">Its type.</param>
/// <param name="Kind">Its kind, or why it has none.</param>
internal readonly record struct ReservedOrdinal(int Ordinal, ITypeSymbol Type, KindResult Kind)
{
    private const string ReservedAttribute = "BufferedReservedAttribute";

    /// <summary>The reserved ordinals of a type and its bases.</summary>
    public static IReadOnlyList<ReservedOrdinal> Of(INamedTypeSymbol source, Compilation compilation)
    {
        var kinds = new KindParser(compilation);
        return
        [
            .. from type in source.BaseFirst()
               from attribute in type.ProductAttributes(ReservedAttribute)
               where attribute.ConstructorArguments is [{ Value: int }, { Value: ITypeSymbol }]
               let reserved = (ITypeSymbol)attribute.ConstructorArguments[1].Value!
               select new ReservedOrdinal((int)attribute.ConstructorArguments[0].Value!, reserved, kinds.Parse(reserved)),
        ];
    }
}
