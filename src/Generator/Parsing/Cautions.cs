using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Parsing;

/// <summary>What <c>[Obsolete]</c> and <c>[Experimental]</c> in a user's code mean for the code that is generated for it.</summary>
internal static class Cautions
{
    private const string Obsolete = "ObsoleteAttribute";
    private const string Experimental = "ExperimentalAttribute";
    private const string DiagnosticId = "DiagnosticId";
    private const string UrlFormat = "UrlFormat";

    /// <summary>
    /// The attributes that generated declarations repeat for a type or a member. An obsolete member stays in messages, so reading it is never an error.
    /// </summary>
    public static EquatableArray<string> Repeated(ISymbol symbol) => new(AttributesOf(symbol).Select(Repeat).OfType<string>());

    /// <summary>Whether a member, one of its accessors or a constructor is obsolete. Only what is obsolete too may use it, if uses are errors.</summary>
    public static bool IsObsolete(ISymbol symbol) => WithAccessors(symbol).Any(static part => AttributesOf(part).Any(static attribute => Is(attribute, Obsolete)));

    /// <summary>The diagnostics that uses of a type or a member bring, in ascending order.</summary>
    public static EquatableArray<string> DiagnosticsOf(IEnumerable<ISymbol> symbols)
    {
        var (ids, seen) = (new SortedSet<string>(StringComparer.Ordinal), new HashSet<ISymbol>(SymbolEqualityComparer.Default));
        foreach (var symbol in symbols)
        {
            AddDiagnostics(symbol, ids, seen);
        }

        return new EquatableArray<string>(ids);
    }

    private static void AddDiagnostics(ISymbol symbol, SortedSet<string> ids, HashSet<ISymbol> seen)
    {
        if (symbol is ITypeSymbol { SpecialType: not SpecialType.None } || !seen.Add(symbol))
        {
            return;
        }

        foreach (var marked in WithAccessors(symbol).SelectMany(AttributesOf))
        {
            AddDiagnostic(marked, ids);
        }

        foreach (var used in UsedBy(symbol))
        {
            AddDiagnostics(used, ids, seen);
        }
    }

    /// <summary>The symbols that code names or enters with another one.</summary>
    private static IEnumerable<ISymbol> UsedBy(ISymbol symbol) => symbol switch
    {
        IPropertySymbol property => [property.Type],
        IFieldSymbol field => [field.Type],
        IArrayTypeSymbol array => [array.ElementType],
        INamedTypeSymbol { ContainingType: { } container } type => [.. type.TypeArguments, container],
        INamedTypeSymbol { ContainingAssembly: { } assembly } type => [.. type.TypeArguments, assembly, type.ContainingModule],
        _ => [],
    };

    private static IEnumerable<ISymbol> WithAccessors(ISymbol symbol) =>
        symbol is IPropertySymbol property ? new ISymbol?[] { property, property.GetMethod, property.SetMethod }.OfType<ISymbol>() : [symbol];

    private static IEnumerable<AttributeData> AttributesOf(ISymbol symbol) =>
        symbol.GetAttributes().Where(static attribute => Is(attribute, Obsolete) || Is(attribute, Experimental));

    private static bool Is(AttributeData attribute, string name) =>
        attribute.AttributeClass is { } type
        && (type.Is("System", name) || (string.Equals(name, Experimental, StringComparison.Ordinal) && type.Is("System.Diagnostics.CodeAnalysis", name)));

    private static void AddDiagnostic(AttributeData attribute, SortedSet<string> ids)
    {
        var id = Is(attribute, Experimental) ? FirstArgument(attribute) : attribute.NameSetBy(DiagnosticId);
        if (id is not null && SyntaxFacts.IsValidIdentifier(id))
        {
            ids.Add(id);
        }
    }

    private static string? FirstArgument(AttributeData attribute) => attribute.ConstructorArguments is [{ Value: string text }, ..] ? text : null;

    private static string? Repeat(AttributeData attribute)
    {
        var (isObsolete, text) = (Is(attribute, Obsolete), FirstArgument(attribute));
        if (!isObsolete && text is null)
        {
            return null;
        }

        var arguments = new[] { text is null ? null : Literal(text), Named(attribute, DiagnosticId), Named(attribute, UrlFormat) }.OfType<string>();
        var list = string.Join(", ", arguments);
        return $"[global::System.{(isObsolete ? "Obsolete" : "Diagnostics.CodeAnalysis.Experimental")}{(list.Length == 0 ? "" : $"({list})")}]";
    }

    private static string? Named(AttributeData attribute, string property) =>
        attribute.NameSetBy(property) is { } value ? $"{property} = {Literal(value)}" : null;

    private static string Literal(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}
