using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// The consequences of <c>[Obsolete]</c>, <c>[Experimental]</c> and <c>[CLSCompliant]</c> in user code for generated code. This runs for every member, and allocates
/// only for members that have one.
/// </summary>
internal static class Cautions
{
    private const string DiagnosticId = "DiagnosticId";
    private const string UrlFormat = "UrlFormat";

    /// <summary>The compiler's warnings about values and locals as arguments of <c>ref readonly</c> parameters.</summary>
    private static readonly string[] ArgumentsByValue = ["CS9192", "CS9193"];

    /// <summary>
    /// Gets the attributes that generated declarations repeat for a type or a member. An obsolete member stays in messages, so reading it is never an error.
    /// </summary>
    public static EquatableArray<string> Repeated(ISymbol symbol)
    {
        List<string>? attributes = null;
        foreach (var attribute in symbol.GetAttributes())
        {
            if ((IsObsolete(attribute) || IsExperimental(attribute)) && Repeat(attribute) is { } text)
            {
                (attributes ??= []).Add(text);
            }
        }

        return attributes is null ? default : new EquatableArray<string>(attributes);
    }

    /// <summary>Determines whether a member, one of its accessors, a member that it overrides, or a constructor is obsolete. If uses are errors, only obsolete code can use it.</summary>
    public static bool IsObsolete(ISymbol symbol)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (IsObsolete(attribute))
            {
                return true;
            }
        }

        // The compiler asks the property that is overridden, not the one that overrides it.
        return symbol is IPropertySymbol { GetMethod: var getter, SetMethod: var setter, OverriddenProperty: var overridden }
            && ((getter is not null && IsObsolete(getter)) || (setter is not null && IsObsolete(setter)) || (overridden is not null && IsObsolete(overridden)));
    }

    /// <summary>Determines whether uses of a type are errors, outside of obsolete code.</summary>
    public static bool IsForbidden(INamedTypeSymbol type) =>
        type.GetAttributes().Any(static attribute => IsObsolete(attribute) && attribute.ConstructorArguments is [_, { Value: true }]);

    /// <summary>Determines whether the compiler checks that the public API of an assembly complies with the Common Language Specification.</summary>
    public static bool IsClsCompliant(IAssemblySymbol assembly) =>
        assembly.GetAttributes().Any(static attribute => attribute is { AttributeClass: { } type, ConstructorArguments: [{ Value: true }] } && type.Is("System", "CLSCompliantAttribute"));

    /// <summary>Gets the diagnostics that uses of types and members cause, in ascending order.</summary>
    public static EquatableArray<string> DiagnosticsOf(IEnumerable<ISymbol> symbols)
    {
        SortedSet<string>? ids = null;
        foreach (var symbol in symbols)
        {
            AddUse(symbol, ref ids);
        }

        return ids is null ? default : new EquatableArray<string>(ids);
    }

    /// <summary>Adds the diagnostics of a symbol, and of all symbols that code names with it.</summary>
    private static void AddUse(ISymbol? symbol, ref SortedSet<string>? ids)
    {
        switch (symbol)
        {
            case null or ITypeSymbol { SpecialType: not SpecialType.None }:
                return;
            case IPropertySymbol property:
                Add(property.GetMethod, ref ids);
                Add(property.SetMethod, ref ids);
                AddUse(property.Type, ref ids);
                AddUse(property.OverriddenProperty, ref ids);
                break;
            case IMethodSymbol method when method.Parameters.Any(static parameter => parameter.RefKind == RefKind.RefReadOnlyParameter):
                (ids ??= new SortedSet<string>(StringComparer.Ordinal)).UnionWith(ArgumentsByValue);
                break;
            case IFieldSymbol field:
                AddUse(field.Type, ref ids);
                break;
            case IArrayTypeSymbol array:
                AddUse(array.ElementType, ref ids);
                break;
            case INamedTypeSymbol type:
                foreach (var argument in type.TypeArguments)
                {
                    AddUse(argument, ref ids);
                }

                AddUse(type.ContainingType, ref ids);
                Add(type.ContainingAssembly, ref ids);
                Add(type.ContainingModule, ref ids);
                break;
        }

        Add(symbol, ref ids);
    }

    private static void Add(ISymbol? symbol, ref SortedSet<string>? ids)
    {
        if (symbol is null)
        {
            return;
        }

        foreach (var attribute in symbol.GetAttributes())
        {
            Add(attribute, ref ids);

            // Generated code calls the converter.
            if (attribute is { AttributeClass.Name: ConverterType.AttributeName, ConstructorArguments: [{ Value: INamedTypeSymbol converter }] })
            {
                foreach (var own in UsedBy(converter).SelectMany(static used => used.GetAttributes()))
                {
                    Add(own, ref ids);
                }
            }
        }
    }

    /// <summary>Gets the methods of a converter, and the types that calls of them name: the converter and the type that is stored, with those around them.</summary>
    private static IEnumerable<ISymbol> UsedBy(INamedTypeSymbol converter)
    {
        var methods = converter.GetMembers().OfType<IMethodSymbol>().Where(static method => method.Name is ConverterType.ToWire or ConverterType.FromWire).ToList();
        var types = methods.Select(static method => method.ReturnType).OfType<INamedTypeSymbol>().Prepend(converter);
        return [.. methods, .. types.SelectMany(static type => type.Containers().Append(type))];
    }

    private static void Add(AttributeData attribute, ref SortedSet<string>? ids)
    {
        var id = IsExperimental(attribute) ? FirstArgument(attribute) : IsObsolete(attribute) ? attribute.NameSetBy(DiagnosticId) : null;
        if (id is not null && SyntaxFacts.IsValidIdentifier(id))
        {
            (ids ??= new SortedSet<string>(StringComparer.Ordinal)).Add(id);
        }
    }

    private static bool IsObsolete(AttributeData attribute) => attribute.AttributeClass is { } type && type.Is("System", "ObsoleteAttribute");

    private static bool IsExperimental(AttributeData attribute) => attribute.AttributeClass is { } type && type.Is("System.Diagnostics.CodeAnalysis", "ExperimentalAttribute");

    private static string? FirstArgument(AttributeData attribute) => attribute.ConstructorArguments is [{ Value: string text }, ..] ? text : null;

    private static string? Repeat(AttributeData attribute)
    {
        var (isObsolete, text) = (IsObsolete(attribute), FirstArgument(attribute));
        if (!isObsolete && text is null)
        {
            return null;
        }

        var arguments = string.Join(", ", new[] { text is null ? null : Literal(text), Named(attribute, DiagnosticId), Named(attribute, UrlFormat) }.OfType<string>());
        return $"[global::System.{(isObsolete ? "Obsolete" : "Diagnostics.CodeAnalysis.Experimental")}{(arguments.Length == 0 ? "" : $"({arguments})")}]";
    }

    private static string? Named(AttributeData attribute, string property) =>
        attribute.NameSetBy(property) is { } value ? $"{property} = {Literal(value)}" : null;

    private static string Literal(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}
