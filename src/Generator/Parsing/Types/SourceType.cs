using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Generator.Parsing;

/// <summary>The properties of a source type that do not depend on its members. Used for sources, for types of members and for bases.</summary>
internal static class SourceType
{
    public const string AttributeName = "BufferedMessageSourceAttribute";
    public const string AttributeFullName = "BufferedMessages." + AttributeName;

    /// <summary>Determines whether the type carries the attribute.</summary>
    public static bool IsSource(INamedTypeSymbol type) => type.ProductAttribute(AttributeName) is not null;

    /// <summary>
    /// Determines whether the attribute can be added to a type: it has objects and one layout, and its declaration is in this project, or, in an editor, in another
    /// one that refers to this product.
    /// </summary>
    public static bool CanBecomeSource(INamedTypeSymbol type, Compilation compilation) =>
        type is { TypeKind: TypeKind.Class or TypeKind.Struct, IsAbstract: false, IsStatic: false, IsGenericType: false, IsTupleType: false, IsRefLikeType: false, DeclaringSyntaxReferences.IsEmpty: false }
        && (SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly)
            || (compilation.GetMetadataReference(type.ContainingAssembly) is CompilationReference { Compilation: var other } && other.GetTypeByMetadataName(AttributeFullName) is not null));

    /// <summary>Determines whether generated code for the type exists, in this compilation or in another assembly.</summary>
    public static bool IsEmitted(INamedTypeSymbol type) =>
        IsSource(type)
        && (type.DeclaringSyntaxReferences.IsEmpty ? !type.GetTypeMembers(GeneratedNames.Block).IsEmpty : IsValid(type, sink: null));

    /// <summary>Checks the rules for the type itself.</summary>
    public static bool IsValid(INamedTypeSymbol type, IProblemSink? sink)
    {
        if (Unconstructible(type) is { } reason)
        {
            sink?.Report(Rules.NotConstructible, type, type.Name, reason);
            return false;
        }

        if (type.DerivedFirst().Skip(1).FirstOrDefault(current => IsForeignCollection(current, type)) is { } collection)
        {
            sink?.Report(Rules.DerivesFromCollection, type, type.Name, collection.InMessage());
            return false;
        }

        return CanBeExtended(type, sink) && NameRules.AreFree(type, sink);
    }

    /// <summary>Checks that generated code can add to a type.</summary>
    public static bool CanBeExtended(INamedTypeSymbol type, IProblemSink? sink)
    {
        if (GenericType.Problem(type) is { } generic)
        {
            sink?.Report(Rules.Generic, type, type.Name, generic);
            return false;
        }

        if (type.IsFileLocal || type.Containers().Any(static container => container.IsFileLocal))
        {
            sink?.Report(Rules.FileLocal, type, type.Name);
            return false;
        }

        if (!type.IsPartial())
        {
            sink?.Report(Rules.NotPartial, type, type.Name);
            return false;
        }

        if (type.Containers().FirstOrDefault(static container => !container.IsPartial()) is { } closed)
        {
            sink?.Report(Rules.ContainerNotPartial, type, type.Name, closed.Name);
            return false;
        }

        return true;
    }

    /// <summary>Gets the kind of a source type's messages.</summary>
    public static MessageKind KindOf(INamedTypeSymbol type) =>
        new(FullNameOf(type), type.GlobalName(), BlockOf(type), ViewOf(type).Type, WriterOf(type)?.Type, type.IsValueType ? MessageForm.Value : MessageForm.Reference);

    /// <summary>Gets the names of the type's view.</summary>
    public static TypeNames ViewOf(INamedTypeSymbol type) => NamesOf(type, ViewNameOf(type));

    /// <summary>Gets the names of the type's writer, or null.</summary>
    public static TypeNames? WriterOf(INamedTypeSymbol type) => WriterNameOf(type) is { } name ? NamesOf(type, name) : null;

    /// <summary>Gets the simple name of the type's writer; null if the attribute does not ask for one.</summary>
    public static string? WriterNameOf(INamedTypeSymbol type) =>
        AttributeOf(type).NamedArguments.Any(static argument => argument is { Key: "GenerateWriter", Value.Value: true })
            ? GeneratedNames.WriterOf(ViewNameOf(type))
            : null;

    /// <summary>Gets the names of a generated type beside a source or a union.</summary>
    public static TypeNames NamesOf(INamedTypeSymbol type, string simpleName)
    {
        var name = simpleName.EscapeType();
        var prefix = type.ContainingSymbol is INamespaceSymbol { IsGlobalNamespace: true }
            ? "global::"
            : type.ContainingSymbol.GlobalName() + ".";
        return new TypeNames(SyntaxFacts.GetText(type.DeclaredAccessibility), name, prefix + name);
    }

    /// <summary>Gets the simple name of the type's view.</summary>
    public static string ViewNameOf(INamedTypeSymbol type) => AttributeOf(type).NameSetBy("ViewName") ?? GeneratedNames.ViewOf(UnionType.SimpleNameOf(type));

    /// <summary>Gets the attribute that makes a type a source or a union.</summary>
    public static AttributeData AttributeOf(INamedTypeSymbol type) => type.ProductAttribute(AttributeName) ?? type.ProductAttribute(UnionType.AttributeName)!;

    /// <summary>Gets the fully qualified name of the type's block.</summary>
    public static string BlockOf(INamedTypeSymbol type) => $"{type.GlobalName()}.{GeneratedNames.Block}";

    /// <summary>Gets namespace, containing types and name, joined by dots.</summary>
    public static string FullNameOf(INamedTypeSymbol type)
    {
        var names = new Stack<string>();
        for (ISymbol? symbol = type; symbol is INamedTypeSymbol or INamespaceSymbol { IsGlobalNamespace: false }; symbol = symbol.ContainingSymbol)
        {
            names.Push(symbol.Name);
        }

        return string.Join(".", names);
    }

    /// <summary>Gets the type's namespace in C# syntax; empty for the global one.</summary>
    public static string NamespaceOf(INamedTypeSymbol type) =>
        type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.GlobalName().Replace("global::", "");

    /// <summary>Gets the type's partial declaration, without the modifiers that need not be repeated.</summary>
    public static string DeclarationOf(INamedTypeSymbol type)
    {
        var keyword = type switch
        {
            { TypeKind: TypeKind.Interface } => "interface",
            { IsRecord: true, IsValueType: true } => "record struct",
            { IsRecord: true } => "record",
            { IsValueType: true } => "struct",
            _ => "class",
        };
        return $"partial {keyword} {type.Name.EscapeType()}";
    }

    // The elements of a collection of another assembly are in no public member. A source or a union of that assembly chose its members itself.
    private static bool IsForeignCollection(INamedTypeSymbol type, INamedTypeSymbol source) =>
        !type.IsDeclaredWith(source) && type.ImplementsEnumerable() && !IsSource(type) && !UnionType.IsUnion(type);

    private static string? Unconstructible(INamedTypeSymbol type) => type switch
    {
        { IsStatic: true } => "static",
        { TypeKind: TypeKind.Interface } => "an interface",
        { IsAbstract: true } => "abstract",
        { IsRefLikeType: true } => "a ref struct",
        _ => null,
    };
}
