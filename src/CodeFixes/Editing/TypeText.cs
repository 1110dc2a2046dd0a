using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.CodeFixes;

/// <summary>The names of types in code that a fix writes.</summary>
internal static class TypeText
{
    /// <summary>Gets the shortest text that means a type at a position; null for a type that code cannot name, such as an anonymous one.</summary>
    /// <param name="type">The type.</param>
    /// <param name="model">The semantic model of the file.</param>
    /// <param name="position">The position in the file.</param>
    /// <param name="format">The format; the compiler's shortest one if it is null.</param>
    public static string? TextAt(this ITypeSymbol type, SemanticModel model, int position, SymbolDisplayFormat? format = null)
    {
        if (!HasName(type))
        {
            return null;
        }

        // The compiler shortens a namespace also where a type of its name hides it.
        var text = type.ToMinimalDisplayString(model, position, format);
        var meaning = model.GetSpeculativeTypeInfo(position, SyntaxFactory.ParseTypeName(text), SpeculativeBindingOption.BindAsTypeOrNamespace).Type;
        return SymbolEqualityComparer.Default.Equals(meaning, type) ? text : type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
    }

    private static bool HasName(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => HasName(array.ElementType),
        INamedTypeSymbol { IsTupleType: true } tuple => tuple.TupleElements.All(static element => HasName(element.Type)),
        INamedTypeSymbol named => !named.IsAnonymousType && named.TypeArguments.All(HasName),
        _ => type.TypeKind != TypeKind.Error,
    };
}
