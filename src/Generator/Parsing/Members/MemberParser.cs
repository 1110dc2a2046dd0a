using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parser that finds the members that are stored: public instance properties and fields of the type and its bases, base first. A member that a
/// derived type overrides or hides keeps the place of its first declaration. A member that a copy could not restore is stored only if it has
/// <c>[BufferedMember]</c>, since most such members are computed from others.
/// </summary>
internal sealed class MemberParser(INamedTypeSymbol source, Compilation compilation, IProblemSink? sink)
{
    public const string IgnoreAttribute = "BufferedIgnoreAttribute";
    public const string MemberAttribute = "BufferedMemberAttribute";

    private readonly KindParser _kinds = new(compilation, source: source);
    private readonly IReadOnlyList<string> _inView = GeneratedNames.InView(source.Name, SourceType.ViewNameOf(source));

    /// <summary>Gets the number of members that cannot be stored.</summary>
    public int SkippedCount { get; private set; }

    /// <summary>Gets whether the type of a member or a base cannot be known until a mistake elsewhere is corrected, for example because it does not exist.</summary>
    public bool HasUnknownTypes { get; private set; } = source.DerivedFirst().Any(static type => type.TypeKind == TypeKind.Error);

    /// <summary>Finds the members, in the order of their declaration.</summary>
    public IReadOnlyList<MemberCandidate> Parse(CancellationToken cancellation)
    {
        var candidates = new List<MemberCandidate>();
        foreach (var symbol in StoredMembers())
        {
            cancellation.ThrowIfCancellationRequested();
            if (ParseMember(symbol) is { } candidate)
            {
                candidates.Add(candidate);
            }
            else
            {
                SkippedCount++;
            }
        }

        if (SourceType.WriterNameOf(source) is not null)
        {
            RemoveTakenInWriter(candidates);
        }

        return candidates;
    }

    /// <summary>Leaves out members whose name is that of the method by which the writer appends another one. A value of fixed size has no such method.</summary>
    private void RemoveTakenInWriter(List<MemberCandidate> candidates)
    {
        var methods = new HashSet<string>(
            candidates
                .Where(static candidate => candidate.Kind.Stored() is not (ValueKind or NullableKind))
                .Select(static candidate => GeneratedNames.AppendOf(candidate.Symbol.Name)),
            StringComparer.Ordinal);
        foreach (var taken in candidates.FindAll(candidate => methods.Contains(candidate.Symbol.Name)))
        {
            var (what, reason) = NameRules.ProblemInWriter(source, taken.Symbol);
            sink?.Report(Rules.NameTaken, taken.Symbol, what, taken.Symbol.Name, reason);
            candidates.Remove(taken);
            SkippedCount++;
        }
    }

    /// <summary>Gets the names of members that the attribute on a source excludes.</summary>
    public static HashSet<string> ExcludedNames(INamedTypeSymbol source)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        if (source.ProductAttribute(SourceType.AttributeName) is { ConstructorArguments: [{ Kind: TypedConstantKind.Array, IsNull: false } excluded] })
        {
            names.UnionWith(excluded.Values.Select(static name => name.Value as string).OfType<string>());
        }

        return names;
    }

    /// <summary>Gets the getter of a property, which an override may inherit from its base.</summary>
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

    // A field or an automatic property: its value is lost if it is not stored. In other assemblies, automatic properties are known by an attribute on their accessors.
    private static bool HoldsValue(ISymbol member) =>
        member is IFieldSymbol
        || member.ContainingType.GetMembers().Any(other => other is IFieldSymbol { AssociatedSymbol: { } property } && SymbolEqualityComparer.Default.Equals(property, member))
        || (member is IPropertySymbol { GetMethod: { } getter, DeclaringSyntaxReferences.IsEmpty: true } && getter.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "CompilerGeneratedAttribute" }));

    private IEnumerable<ISymbol> StoredMembers()
    {
        var excluded = ExcludedNames(source);
        if (sink is not null)
        {
            ReportHidden(excluded);
        }

        var members = VisibleMembers().Where(member => !IsExcluded(member, excluded)).ToList();
        var constructors = new ConstructorParser(source, compilation, members);
        foreach (var member in members)
        {
            if (constructors.CanRestore(member) || member.ProductAttribute(MemberAttribute) is not null)
            {
                yield return member;
            }
            else if (HoldsValue(member))
            {
                ReportNotStored(
                    SinkFor(member),
                    member,
                    $"a copy could not restore it: it has no setter that '{source.Name}' can call, and the constructor for copies has no parameter of its name and type; add one of these, number all members with [BufferedMember] to store it for the view only");
            }
        }
    }

    private static bool IsExcluded(ISymbol member, HashSet<string> excluded) => excluded.Contains(member.Name) || member.ProductAttribute(IgnoreAttribute) is not null;

    private void ReportNotStored(IProblemSink? receiver, ISymbol member, string reason) =>
        receiver?.Report(Rules.NotStored, member, member.ContainingType.Name, member.Name, source.Name, reason);

    // A member that is not accessible here hides none. Metadata does not even show that of another assembly; the source of another project does.
    private IEnumerable<ISymbol> AccessibleMembers() =>
        source.DerivedFirst()
            .SelectMany(static type => type.GetMembers())
            .Where(member => (!member.IsImplicitlyDeclared || member is IPropertySymbol) && compilation.IsSymbolAccessibleWithin(member, source));

    /// <summary>Reports the values of bases that are hidden by members which are not stored themselves, such as private ones.</summary>
    private void ReportHidden(HashSet<string> excluded)
    {
        foreach (var named in AccessibleMembers().GroupBy(static member => member.Name, StringComparer.Ordinal))
        {
            var hiding = named.First();
            if (!hiding.IsStorable() && named.FirstOrDefault(SymbolExtensions.IsStorable) is { } hidden && HoldsValue(hidden) && !IsExcluded(hidden, excluded))
            {
                ReportNotStored(sink, hidden, $"'{hiding.ContainingType.Name}.{hiding.Name}' hides it; rename one of the two");
            }
        }
    }

    private IEnumerable<ISymbol> VisibleMembers()
    {
        // The most derived declaration of a name decides its meaning; the first one, base first, decides its place.
        var meanings = new Dictionary<string, ISymbol?>(StringComparer.Ordinal);
        foreach (var member in AccessibleMembers().Where(member => !meanings.ContainsKey(member.Name)))
        {
            meanings.Add(member.Name, member.IsStorable() ? member : null);
        }

        foreach (var type in source.BaseFirst())
        {
            foreach (var name in InOrder(type).Where(SymbolExtensions.IsStorable).Select(static member => member.Name))
            {
                if (meanings.TryGetValue(name, out var meaning) && meaning is not null)
                {
                    meanings.Remove(name);
                    yield return meaning;
                }
            }
        }
    }

    // The order of the compiler's input files is arbitrary, so parts are ordered by path. Metadata keeps fields and properties in separate tables, and an editor
    // refers to the source of another project where a build refers to its metadata: the order of another assembly's members is that of metadata for both.
    private IEnumerable<ISymbol> InOrder(INamedTypeSymbol type)
    {
        var members = type.GetMembers();
        if (!type.IsDeclaredWith(source))
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

    // The mistakes of a source in another assembly are reported there.
    private IProblemSink? SinkFor(ISymbol symbol) =>
        !symbol.ContainingType.IsDeclaredWith(source) && SourceType.IsSource(symbol.ContainingType) ? null : sink;

    private MemberCandidate? ParseMember(ISymbol symbol)
    {
        if (symbol is IPropertySymbol property && GetterOf(property) is not { DeclaredAccessibility: Accessibility.Public })
        {
            SinkFor(symbol)?.Report(Rules.NoGetter, symbol, symbol.ContainingType.Name, symbol.Name);
            return null;
        }

        if (NameRules.MemberProblem(source, _inView, symbol) is var (what, reason))
        {
            sink?.Report(Rules.NameTaken, symbol, what, symbol.Name, reason);
            return null;
        }

        var type = symbol.MemberType();
        var result = symbol is IFieldSymbol { IsFixedSizeBuffer: true }
            ? KindResult.Unsupported("it is a fixed-size buffer; use an array, or a struct that holds the buffer")
            : ParseKind(symbol, type);
        if (result.Kind is null)
        {
            if (result.Rule is { } rule)
            {
                SinkFor(symbol)?.Report(rule, symbol, symbol.ContainingType.Name, symbol.Name, type.InMessage(), result.Reason!);
            }

            HasUnknownTypes |= result.Rule is null;
            return null;
        }

        return new MemberCandidate(symbol, type, result.Kind, OrdinalOf(symbol));
    }

    private KindResult ParseKind(ISymbol symbol, ITypeSymbol type)
    {
        if (symbol.ProductAttribute(ConverterType.AttributeName) is null)
        {
            return _kinds.Parse(type);
        }

        if (ConverterType.IsMissing(symbol))
        {
            return KindResult.Silent;
        }

        var kinds = new KindParser(compilation, symbol, source);
        var result = kinds.Parse(type);
        return kinds.Converters.UnusedProblem(type) is { } problem ? KindResult.BadConverter(problem) : result;
    }

    private static int? OrdinalOf(ISymbol symbol) =>
        symbol.ProductAttribute(MemberAttribute) is { ConstructorArguments: [{ Value: int ordinal }] } ? ordinal : null;
}
