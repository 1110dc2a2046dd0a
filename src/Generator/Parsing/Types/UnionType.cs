using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The properties of a union that do not depend on its cases. Used for unions, for types of members and for bases.</summary>
internal static class UnionType
{
    public const string AttributeName = "BufferedMessageUnionAttribute";
    public const string AttributeFullName = "BufferedMessages." + AttributeName;
    public const string CaseAttribute = "BufferedCaseAttribute`1";

    /// <summary>Determines whether the type carries the attribute.</summary>
    public static bool IsUnion(INamedTypeSymbol type) => type.ProductAttribute(AttributeName) is not null;

    /// <summary>Determines whether generated code for the type exists, in this compilation or in another assembly.</summary>
    public static bool IsEmitted(INamedTypeSymbol type) =>
        IsUnion(type)
        && (type.DeclaringSyntaxReferences.IsEmpty ? !type.GetTypeMembers(GeneratedNames.Block).IsEmpty : IsValid(type, sink: null));

    /// <summary>Checks the rules for the type itself.</summary>
    public static bool IsValid(INamedTypeSymbol type, IProblemSink? sink)
    {
        if (type is not ({ TypeKind: TypeKind.Interface } or { TypeKind: TypeKind.Class, IsAbstract: true, IsStatic: false }))
        {
            sink?.Report(Rules.NotAUnion, type, type.Name, "its own objects would belong to no case; declare it abstract, or make it an interface");
            return false;
        }

        if (AbstractStaticOf(type) is { } member)
        {
            sink?.Report(Rules.NotAUnion, type, type.Name, $"C# does not accept it as a type argument while its static member '{member.Name}' has no implementation; implement that in the interface, or make it an instance member");
            return false;
        }

        return SourceType.CanBeExtended(type, sink) && NameRules.AreFree(type, sink);
    }

    /// <summary>Gets a static member of an interface, or of one that it extends, that only the types that implement it have; null if it has none.</summary>
    private static ISymbol? AbstractStaticOf(INamedTypeSymbol type) => type.TypeKind != TypeKind.Interface ? null
        : type.AllInterfaces.Prepend(type).SelectMany(static extended => extended.GetMembers())
            .FirstOrDefault(member => member is { IsStatic: true, IsAbstract: true } and not IMethodSymbol { AssociatedSymbol: not null } && type.FindImplementationForInterfaceMember(member) is null);

    /// <summary>Gets the name of a type, without the leading I of an interface.</summary>
    public static string SimpleNameOf(INamedTypeSymbol type) =>
        type is { TypeKind: TypeKind.Interface, Name: ['I', var second, ..] } && char.IsUpper(second) ? type.Name.Substring(1) : type.Name;

    /// <summary>Gets the simple name of the enum with the union's cases.</summary>
    public static string EnumNameOf(INamedTypeSymbol union) =>
        union.ProductAttribute(AttributeName)!.NameSetBy("CaseName") ?? GeneratedNames.CasesOf(SimpleNameOf(union));

    /// <summary>Gets the types of a union's cases.</summary>
    public static IEnumerable<ITypeSymbol> CaseTypesOf(INamedTypeSymbol union) =>
        union.ProductAttributes(CaseAttribute).Select(static attribute => attribute.AttributeClass!.TypeArguments[0]);

    /// <summary>Gets the names of a union's cases.</summary>
    public static IEnumerable<string> CaseNamesOf(INamedTypeSymbol union) => union.ProductAttributes(CaseAttribute).Select(CaseNameOf);

    /// <summary>Gets the name of the case that an attribute declares.</summary>
    public static string CaseNameOf(AttributeData attribute) => attribute.NameSetBy("Name") ?? attribute.AttributeClass!.TypeArguments[0].Name;

    /// <summary>Determines whether a base class has generated members.</summary>
    public static bool HasEmittedBase(INamedTypeSymbol type) =>
        type.DerivedFirst().Skip(1).Any(HasGeneratedCode);

    /// <summary>Determines whether a type is a source or a union for which generated code exists.</summary>
    public static bool HasGeneratedCode(INamedTypeSymbol type) => SourceType.IsEmitted(type) || IsEmitted(type);

    /// <summary>Determines whether a type derives from a union or implements it.</summary>
    public static bool IsIn(INamedTypeSymbol type, INamedTypeSymbol union) =>
        (union.TypeKind == TypeKind.Interface ? type.AllInterfaces : type.DerivedFirst().Skip(1))
            .Any(other => SymbolEqualityComparer.Default.Equals(other, union));

    /// <summary>
    /// Gets the unions whose methods generated code implements for a type: those that its own base list adds, and those that only bases without generated code list.
    /// The methods that such a base inherits would implement them otherwise, and write another message.
    /// </summary>
    public static IEnumerable<INamedTypeSymbol> InterfacesOf(INamedTypeSymbol type, Compilation compilation)
    {
        var nearest = type.DerivedFirst().Skip(1).FirstOrDefault(HasGeneratedCode);

        // The base list names them, and there C# accepts neither a protected type of a base, nor one whose use is an error.
        var around = (ISymbol?)type.ContainingType ?? compilation.Assembly;
        var inherited = type.AllInterfaces.Where(union =>
            (nearest is null || !IsIn(nearest, union)) && compilation.IsSymbolAccessibleWithin(union, around) && !Cautions.IsForbidden(union));
        return type.Interfaces
            .SelectMany(static listed => listed.AllInterfaces.Prepend(listed))
            .Concat(inherited)
            .Where(IsEmitted)
            .Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default);
    }

    /// <summary>Gets the unions of this project that a source derives from or implements without being declared as a case.</summary>
    public static IEnumerable<INamedTypeSymbol> MissingIn(INamedTypeSymbol source) =>
        source.DerivedFirst().Skip(1).Concat(source.AllInterfaces).Where(union =>
            union.IsDeclaredWith(source)
            && IsEmitted(union)
            && !CaseTypesOf(union).Contains(source, SymbolEqualityComparer.Default));
}
