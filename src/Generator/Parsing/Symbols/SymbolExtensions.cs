using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Parsing;

/// <summary>Short queries on symbols.</summary>
internal static class SymbolExtensions
{
    private const string ProductNamespace = "BufferedMessages";
    private const string Partial = "partial";

    private static readonly SymbolDisplayFormat WithNulls =
        SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Gets the attribute of this product on a symbol, or null.</summary>
    public static AttributeData? ProductAttribute(this ISymbol symbol, string name)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass is { } type && type.Is(ProductNamespace, name))
            {
                return attribute;
            }
        }

        return null;
    }

    /// <summary>Gets the attributes of this product of one name.</summary>
    public static IEnumerable<AttributeData> ProductAttributes(this ISymbol symbol, string name) =>
        symbol.GetAttributes().Where(attribute => attribute.AttributeClass is { } type && type.Is(ProductNamespace, name));

    /// <summary>Gets the name that an attribute's property sets, or null.</summary>
    public static string? NameSetBy(this AttributeData attribute, string property) =>
        attribute.NamedArguments.FirstOrDefault(argument => string.Equals(argument.Key, property, StringComparison.Ordinal)).Value.Value is string { Length: > 0 } name ? name : null;

    /// <summary>Determines whether a type has this namespace and metadata name.</summary>
    public static bool Is(this INamedTypeSymbol type, string containingNamespace, string metadataName) =>
        type.ContainingType is null
        && string.Equals(type.MetadataName, metadataName, StringComparison.Ordinal)
        && type.ContainingNamespace.IsNamed(containingNamespace);

    /// <summary>Gets the value that a table has for the type; null for a type that is not in it.</summary>
    public static T? FoundIn<T>(this INamedTypeSymbol type, (string Namespace, string Name, T Value)[] table)
        where T : struct
    {
        foreach (var (containingNamespace, name, value) in table)
        {
            if (type.Is(containingNamespace, name))
            {
                return value;
            }
        }

        return null;
    }

    /// <summary>Determines whether a namespace has this full name.</summary>
    public static bool IsNamed(this INamespaceSymbol? symbol, string fullName)
    {
        // Compares from the last part to the first, without allocation: this runs for every member.
        var end = fullName.Length;
        while (symbol is { IsGlobalNamespace: false })
        {
            var start = end - symbol.Name.Length;
            if (start < 0 || string.CompareOrdinal(fullName, start, symbol.Name, 0, symbol.Name.Length) != 0)
            {
                return false;
            }

            symbol = symbol.ContainingNamespace;
            if (start == 0)
            {
                return symbol is null or { IsGlobalNamespace: true };
            }

            end = start - 1;
            if (fullName[end] != '.')
            {
                return false;
            }
        }

        return end == 0;
    }

    /// <summary>Determines whether a symbol is declared in the namespace <c>System</c> or in one below it.</summary>
    public static bool IsInSystem(this ISymbol symbol)
    {
        var space = symbol.ContainingNamespace;
        while (space is { ContainingNamespace.IsGlobalNamespace: false })
        {
            space = space.ContainingNamespace;
        }

        return space is { Name: "System" };
    }

    /// <summary>Gets the fully qualified name of a type or a namespace.</summary>
    public static string GlobalName(this ISymbol symbol) => NameIn(SymbolDisplayFormat.FullyQualifiedFormat, symbol);

    /// <summary>Gets the same of a type with the question marks of nullable references in it, which users see in parameters and results, but without its own.</summary>
    public static string DeclaredName(this ITypeSymbol type) => NameIn(WithNulls, type.WithNullableAnnotation(NullableAnnotation.None));

    /// <summary>Gets the name of the type for the message of a rule.</summary>
    public static string InMessage(this ITypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);

    /// <summary>Gets the type and its bases without <see cref="object"/> and <see cref="ValueType"/>, the base first.</summary>
    public static IEnumerable<INamedTypeSymbol> BaseFirst(this INamedTypeSymbol type) => type.DerivedFirst().Reverse();

    /// <summary>Gets the type and its bases without <see cref="object"/> and <see cref="ValueType"/>, the most derived first.</summary>
    public static IEnumerable<INamedTypeSymbol> DerivedFirst(this INamedTypeSymbol type)
    {
        for (var current = type; current is { SpecialType: SpecialType.None }; current = current.BaseType)
        {
            yield return current;
        }
    }

    /// <summary>Determines whether two types differ at most in the names of tuple items and in the annotations of references.</summary>
    public static bool IsSame(this Compilation compilation, ITypeSymbol type, ITypeSymbol other) =>
        SymbolEqualityComparer.Default.Equals(type, other)
        || (type.TypeKind == other.TypeKind && compilation.ClassifyCommonConversion(type, other).IsIdentity);

    /// <summary>Determines whether two types are of one assembly. A type of a referenced project may have source too.</summary>
    public static bool IsDeclaredWith(this INamedTypeSymbol type, INamedTypeSymbol other) =>
        SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, other.ContainingAssembly);

    /// <summary>Determines whether a type is a collection: <c>IEnumerable</c>, or a type that implements it.</summary>
    public static bool ImplementsEnumerable(this INamedTypeSymbol type) =>
        type.SpecialType == SpecialType.System_Collections_IEnumerable
        || type.AllInterfaces.Any(static implemented => implemented.SpecialType == SpecialType.System_Collections_IEnumerable);

    /// <summary>Gets the type of a property or a field.</summary>
    public static ITypeSymbol MemberType(this ISymbol member) => member is IPropertySymbol property ? property.Type : ((IFieldSymbol)member).Type;

    /// <summary>Determines whether a member is one that can be stored: a public instance property or field. One that is being typed has no name yet.</summary>
    public static bool IsStorable(this ISymbol member) =>
        member is { IsStatic: false, DeclaredAccessibility: Accessibility.Public, Name: not "" }
        && member is IPropertySymbol { IsIndexer: false } or IFieldSymbol { IsConst: false };

    /// <summary>Gets the containing types, outermost first.</summary>
    public static IEnumerable<INamedTypeSymbol> Containers(this INamedTypeSymbol type)
    {
        var containers = new Stack<INamedTypeSymbol>();
        for (var container = type.ContainingType; container is not null; container = container.ContainingType)
        {
            containers.Push(container);
        }

        return containers;
    }

    /// <summary>Determines whether code of every assembly can name a type.</summary>
    public static bool IsPublic(this INamedTypeSymbol type) =>
        type.Containers().Append(type).All(static part => part.DeclaredAccessibility == Accessibility.Public && part.TypeArguments.OfType<INamedTypeSymbol>().All(IsPublic));

    /// <summary>Determines whether only code of its own assembly can name a type.</summary>
    public static bool IsHidden(this INamedTypeSymbol type) =>
        type.Containers().Append(type).Any(static part => part.DeclaredAccessibility is Accessibility.Internal or Accessibility.Private or Accessibility.ProtectedAndInternal);

    /// <summary>Determines whether a part of the type is written with <c>partial</c>.</summary>
    public static bool IsPartial(this INamedTypeSymbol type) =>
        type.DeclaringSyntaxReferences.Any(static reference =>
            reference.GetSyntax() is Microsoft.CodeAnalysis.CSharp.Syntax.BaseTypeDeclarationSyntax declaration
            && declaration.Modifiers.Any(SyntaxKind.PartialKeyword));

    /// <summary>Determines whether this product's generator wrote the member.</summary>
    public static bool IsGenerated(this ISymbol symbol) =>
        symbol.GetAttributes().Any(static attribute =>
            attribute.AttributeClass is { Name: "GeneratedCodeAttribute" }
            && attribute.ConstructorArguments is [{ Value: GeneratorIdentity.Name }, ..]);

    private static string NameIn(SymbolDisplayFormat format, ISymbol symbol)
    {
        var name = symbol.ToDisplayString(format);

        // From C# 14 on, a member whose type begins with this word is a partial one, and the compiler's format does not escape it.
        return name.Contains(Partial)
            ? string.Concat(symbol.ToDisplayParts(format).Select(static part => string.Equals(part.ToString(), Partial, StringComparison.Ordinal) ? "@" + Partial : part.ToString()))
            : name;
    }
}
