using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// A parser that turns a source type's symbol into its model. Only this room and Analysis know symbols. A part that breaks a rule is reported to the sink and left out
/// of the model. All rules are checked before the names, documentation and constructors are looked at, which only the text of the generated file needs.
/// </summary>
internal static class MessageParser
{
    /// <summary>Gets the model of a source type; null if the type itself breaks a rule.</summary>
    public static SourceModel? Parse(INamedTypeSymbol source, Compilation compilation, CancellationToken cancellation) =>
        FindMembers(source, compilation, sink: null, cancellation) is { } found ? ModelOf(source, found, compilation, cancellation) : null;

    /// <summary>Checks all rules for a source type, and gets its members in the order of their ordinals; null if the type itself breaks a rule.</summary>
    public static ArrangedMembers? FindMembers(INamedTypeSymbol source, Compilation compilation, IProblemSink? sink, CancellationToken cancellation)
    {
        if (!SourceType.IsValid(source, sink))
        {
            return null;
        }

        if (sink is not null)
        {
            ReportMissingCases(source, sink);
        }

        var parser = new MemberParser(source, compilation, sink);
        var candidates = parser.Parse(cancellation);
        if (candidates.Count == 0 && !parser.HasUnknownTypes)
        {
            sink?.Report(Rules.NoMembers, source, source.Name);
        }

        var removed = ReservedOrdinal.Of(source, compilation);
        var (members, reserved, ordinalError) = new OrdinalParser(sink).Arrange(candidates, removed, parser.SkippedCount);
        return new ArrangedMembers(members, reserved, [.. removed.Select(static ordinal => ordinal.Type).OfType<ITypeSymbol>()], parser.HasUnknownTypes, ordinalError);
    }

    /// <summary>Gets the model of a source type whose members are known.</summary>
    public static SourceModel ModelOf(INamedTypeSymbol source, ArrangedMembers found, Compilation compilation, CancellationToken cancellation)
    {
        var message = MessageOf(source, compilation, found.Members, found.Reserved, cancellation, out var restoring);
        var unions = UnionType.InterfacesOf(source, compilation).ToList();
        return new SourceModel(
            message,
            HintName.Of(source),
            SourceType.NamespaceOf(source),
            new EquatableArray<string>(source.Containers().Select(SourceType.DeclarationOf)),
            SourceType.DeclarationOf(source),
            SourceType.WriterOf(source),
            ExplicitCalculateSize: NameRules.IsSizeTaken(source),
            ExplicitWrite: NameRules.IsWriteTaken(source),
            new EquatableArray<string>(unions.Select(static union => union.GlobalName())),
            Cautions.DiagnosticsOf([source, .. found.Members.Select(static member => member.Symbol), .. found.RemovedTypes, .. unions, .. restoring]),
            Cautions.IsClsCompliant(compilation.Assembly),
            found.OrdinalError);
    }

    private static MessageModel MessageOf(
        INamedTypeSymbol source,
        Compilation compilation,
        IReadOnlyList<MemberCandidate> members,
        IReadOnlyList<ReservedModel> reserved,
        CancellationToken cancellation,
        out IReadOnlyList<ISymbol> restoring)
    {
        var (fullName, block, view) = (SourceType.FullNameOf(source), SourceType.BlockOf(source), SourceType.ViewOf(source));
        var names = members.Select(static member => member.Symbol.Name).Concat(GeneratedNames.InView(source.Name, SourceType.ViewNameOf(source)));
        var placement = new KindPlacement(fullName, block, view.Type, names);
        var constructors = new ConstructorParser(source, compilation, [.. members.Select(static member => member.Symbol)]);
        var unset = constructors.Chosen is var (creation, _) ? UnsetBy(creation, source, members) : [];
        restoring = constructors.Chosen is var (used, _) ? [used, .. unset] : [];
        var ordinals = Enumerable.Range(0, members.Count + reserved.Count).Except(reserved.Select(static removed => removed.Ordinal)).ToList();
        var models = members.Select((member, index) => ModelOf(
            member,
            placement.Place(member.Kind, ordinals[index], member.Symbol.Name, Cautions.Repeated(member.Symbol)),
            constructors.RestoreOf(index),
            cancellation)).ToList();
        return new MessageModel(
            fullName,
            source.Name,
            source.GlobalName(),
            Description: $"a <see cref=\"{source.GlobalName()}\"/> message",
            block,
            view,
            IsAnonymous: false,
            new EquatableArray<MemberModel>(models),
            new EquatableArray<ReservedModel>(reserved.Select(removed => removed with { Kind = placement.Place(removed.Kind.Stored(), removed.Ordinal, "Reserved", cautions: default) })),
            constructors.Chosen is var (_, arguments)
                ? new ConstructorModel("new " + source.GlobalName(), new EquatableArray<int>(arguments)) { Unset = new EquatableArray<string>(unset.Select(static member => member.Name.Escape())) }
                : null)
        {
            Cautions = Cautions.Repeated(source),
            UsesObsolete = members.Select(static member => member.Symbol).Concat(restoring).Any(Cautions.IsObsolete),
        };
    }

    // The required members that are not stored, once for each name.
    private static IReadOnlyList<ISymbol> UnsetBy(IMethodSymbol constructor, INamedTypeSymbol source, IReadOnlyList<MemberCandidate> stored)
    {
        if (constructor.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "SetsRequiredMembersAttribute" }))
        {
            return [];
        }

        var names = new HashSet<string>(stored.Select(static member => member.Symbol.Name), StringComparer.Ordinal);
        return
        [
            .. source.BaseFirst()
                .SelectMany(static type => type.GetMembers())
                .Where(member => MemberCandidate.IsRequiredMember(member) && names.Add(member.Name)),
        ];
    }

    private static void ReportMissingCases(INamedTypeSymbol source, IProblemSink sink)
    {
        foreach (var union in UnionType.MissingIn(source))
        {
            sink.Report(Rules.MissingCase, source, source.Name, union.Name);
        }
    }

    private static MemberModel ModelOf(MemberCandidate member, MemberKind kind, MemberRestore restore, CancellationToken cancellation) =>
        new(
            member.Symbol.Name,
            member.Symbol.Name.Escape(),
            kind,
            restore,
            KeepsInitializer: member is { IsNeverNull: true, IsRequired: false } && restore is MemberRestore.Initializer or MemberRestore.Assignment,
            member.IsRequired,
            DocumentationParser.Parse(member.Symbol, cancellation),
            Cautions.Repeated(member.Symbol));
}
