using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>
/// Turns a source type's symbol into its model. Only this room knows symbols. What is wrong is told to the sink, skipped, and the rest
/// is still there.
/// </summary>
internal static class MessageParser
{
    /// <summary>The model of a source type; null if the type itself breaks a rule.</summary>
    public static MessageModel? Parse(INamedTypeSymbol source, Compilation compilation, IProblemSink? sink, CancellationToken cancellation)
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
        if (candidates.Count == 0)
        {
            sink?.Report(Problem.NoMembers, source, source.Name);
        }

        var (members, reserved, ordinalError) = new OrdinalParser(source, sink).Arrange(candidates, ReservedOrdinal.Of(source, compilation), parser.SkippedCount);
        var constructors = new ConstructorParser(source, compilation, members);
        var constructor = constructors.Choose();
        var models = members.Select((member, ordinal) =>
            ModelOf(member, constructors.RestoreOf(ordinal, constructor), cancellation));
        return new MessageModel(
            SourceType.FullNameOf(source),
            GeneratedNames.HintNameOf(source),
            SourceType.NamespaceOf(source),
            new EquatableArray<string>(source.Containers().Select(SourceType.DeclarationOf)),
            SourceType.DeclarationOf(source),
            source.Name,
            source.GlobalName(),
            SourceType.ViewOf(source),
            SourceType.WriterOf(source),
            BaseIsSource: UnionType.HasEmittedBase(source),
            ExplicitCalculateSize: GeneratedNames.IsTakenInSource(source, "CalculateSize"),
            ExplicitWrite: GeneratedNames.IsTakenInSource(source, "Write"),
            new EquatableArray<string>(UnionType.InterfacesOf(source).Select(static union => union.GlobalName())),
            new EquatableArray<MemberModel>(models),
            new EquatableArray<ReservedModel>(reserved),
            constructor,
            ordinalError);
    }

    private static void ReportMissingCases(INamedTypeSymbol source, IProblemSink sink)
    {
        foreach (var union in UnionType.MissingIn(source))
        {
            sink.Report(Problem.MissingCase, source, source.Name, union.Name);
        }
    }

    private static MemberModel ModelOf(MemberCandidate member, MemberRestore restore, CancellationToken cancellation) =>
        new(
            member.Symbol.Name,
            member.Symbol.Name.Escape(),
            member.Kind,
            restore,
            KeepsInitializer: member is { IsNeverNull: true, IsRequired: false } && restore is MemberRestore.Initializer or MemberRestore.Assignment,
            member.IsRequired,
            DocumentationParser.Parse(member.Symbol, cancellation));
}
