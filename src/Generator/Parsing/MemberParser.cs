using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// Finds the members that are stored: public instance properties and fields of the type and its bases, base first. A member that a
/// derived type overrides or hides keeps the place of its first declaration.
/// </summary>
internal sealed class MemberParser(INamedTypeSymbol source, Compilation compilation, IProblemSink? sink)
{
    public const string IgnoreAttribute = "BufferedIgnoreAttribute";
    public const string MemberAttribute = "BufferedMemberAttribute";

    private readonly KindParser _kinds = new(compilation);

    /// <summary>How many members cannot be stored.</summary>
    public int SkippedCount { get; private set; }

    /// <summary>The members in the order of their declaration.</summary>
    public IReadOnlyList<MemberCandidate> Parse(CancellationToken cancellation)
    {
        var excluded = ExcludedNames(source);
        var candidates = new List<MemberCandidate>();
        foreach (var symbol in VisibleMembers())
        {
            cancellation.ThrowIfCancellationRequested();
            if (excluded.Contains(symbol.Name) || symbol.ProductAttribute(IgnoreAttribute) is not null)
            {
                continue;
            }

            if (ParseMember(symbol) is { } candidate)
            {
                candidates.Add(candidate);
            }
            else
            {
                SkippedCount++;
            }
        }

        return candidates;
    }

    /// <summary>The names of members that the attribute on a source excludes.</summary>
    public static HashSet<string> ExcludedNames(INamedTypeSymbol source)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        if (source.ProductAttribute(SourceType.AttributeName) is { ConstructorArguments: [{ Kind: TypedConstantKind.Array, IsNull: false } excluded] })
        {
            names.UnionWith(excluded.Values.Select(static name => name.Value as string).OfType<string>());
        }

        return names;
    }

    /// <summary>Whether a member is one that can be stored: a public instance property or field.</summary>
    public static bool IsStorable(ISymbol member) =>
        member is { IsStatic: false, DeclaredAccessibility: Accessibility.Public }
        && member is IPropertySymbol { IsIndexer: false } or IFieldSymbol { IsConst: false };

    /// <summary>The getter of a property, which an override may leave to its base.</summary>
    private static IMethodSymbol? GetterOf(IPropertySymbol property)
    {
        for (var current = property; current is not null; current = current.OverriddenProperty)
        {
            if (current.GetMethod is { } getter)
            {
                return getter;
            }
        }

        return null;
    }

    private IEnumerable<ISymbol> VisibleMembers()
    {
        // The most derived declaration of a name is what the name means; the first one, base first, gives the place.
        var meanings = new Dictionary<string, ISymbol?>(StringComparer.Ordinal);
        foreach (var type in source.DerivedFirst())
        {
            foreach (var member in type.GetMembers().Where(member => !member.IsImplicitlyDeclared || member is IPropertySymbol))
            {
                if (!meanings.ContainsKey(member.Name))
                {
                    meanings.Add(member.Name, IsStorable(member) ? member : null);
                }
            }
        }

        foreach (var type in source.BaseFirst())
        {
            foreach (var name in InDeclarationOrder(type).Where(IsStorable).Select(static member => member.Name))
            {
                if (meanings.TryGetValue(name, out var meaning) && meaning is not null)
                {
                    meanings.Remove(name);
                    yield return meaning;
                }
            }
        }
    }

    // The order of the files that the compiler is given says nothing; metadata has fields and properties in tables of their own.
    private static IEnumerable<ISymbol> InDeclarationOrder(INamedTypeSymbol type)
    {
        var members = type.GetMembers();
        if (type.DeclaringSyntaxReferences.IsEmpty)
        {
            return members.OrderBy(static member => member is IFieldSymbol ? 0 : 1);
        }

        return type.DeclaringSyntaxReferences.Length == 1
            ? members
            : members
                .Where(static member => member.Locations is [{ IsInSource: true }, ..])
                .OrderBy(static member => member.Locations[0].SourceTree!.FilePath.Replace('\\', '/'), StringComparer.Ordinal)
                .ThenBy(static member => member.Locations[0].SourceSpan.Start);
    }

    // What a base that is a source itself has wrong is reported there, once.
    private IProblemSink? SinkFor(ISymbol symbol) =>
        SymbolEqualityComparer.Default.Equals(symbol.ContainingType, source) || !SourceType.IsEmitted(symbol.ContainingType) ? sink : null;

    private MemberCandidate? ParseMember(ISymbol symbol)
    {
        if (symbol is IPropertySymbol property && GetterOf(property) is not { DeclaredAccessibility: Accessibility.Public })
        {
            SinkFor(symbol)?.Report(Problem.NoGetter, symbol, source.Name, symbol.Name);
            return null;
        }

        if (GeneratedNames.IsTakenInView(symbol.Name, source.Name, SourceType.ViewNameOf(source)))
        {
            SinkFor(symbol)?.Report(
                Problem.NameTaken,
                symbol,
                $"The member '{symbol.Name}' in the view of '{source.Name}'",
                symbol.Name,
                "the view has a member of that name itself; rename the member, or exclude it with [BufferedIgnore]");
            return null;
        }

        if (GeneratedNames.IsTakenInWriter(source, symbol.Name))
        {
            SinkFor(symbol)?.Report(
                Problem.NameTaken,
                symbol,
                $"The member '{symbol.Name}' in the writer of '{source.Name}'",
                symbol.Name,
                "the writer has a method or a type of that name; rename the member, or exclude it with [BufferedIgnore]");
            return null;
        }

        var type = symbol is IPropertySymbol { Type: var propertyType } ? propertyType : ((IFieldSymbol)symbol).Type;
        var result = symbol is IFieldSymbol { IsFixedSizeBuffer: true }
            ? KindResult.Unsupported("it is a fixed-size buffer; use an array, or a struct that holds the buffer")
            : _kinds.Parse(type);
        if (result.Kind is null)
        {
            if (result.Rule is { } rule)
            {
                SinkFor(symbol)?.Report(rule, symbol, source.Name, symbol.Name, type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat), result.Reason!);
            }

            return null;
        }

        return new MemberCandidate(symbol, type, result.Kind, OrdinalOf(symbol));
    }

    private static int? OrdinalOf(ISymbol symbol) =>
        symbol.ProductAttribute(MemberAttribute) is { ConstructorArguments: [{ Value: int ordinal }] } ? ordinal : null;
}
