using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A parser that turns a union's symbol into its model. A part that breaks a rule is reported to the sink and left out of the model.</summary>
internal static class UnionParser
{
    /// <summary>Gets the model of a union; null if the type itself breaks a rule.</summary>
    public static UnionModel? Parse(INamedTypeSymbol union, Compilation compilation, IProblemSink? sink)
    {
        if (!UnionType.IsValid(union, sink))
        {
            return null;
        }

        var isInterface = union.TypeKind == TypeKind.Interface;
        var unions = UnionType.InterfacesOf(union, compilation).ToList();
        var (cases, reserved, error) = new CaseParser(union, compilation, sink).Parse();
        return new UnionModel(
            SourceType.FullNameOf(union),
            HintName.Of(union),
            SourceType.NamespaceOf(union),
            new EquatableArray<string>(union.Containers().Select(SourceType.DeclarationOf)),
            SourceType.DeclarationOf(union),
            UnionType.SimpleNameOf(union),
            union.GlobalName(),
            SourceType.ViewOf(union),
            SourceType.NamesOf(union, UnionType.EnumNameOf(union)),
            ExplicitCalculateSize: isInterface || NameRules.IsSizeTaken(union),
            ExplicitWrite: isInterface || NameRules.IsWriteTaken(union),
            new EquatableArray<string>(isInterface ? [] : unions.Select(static implemented => implemented.GlobalName())),
            new EquatableArray<CaseModel>(cases),
            new EquatableArray<int>(reserved),
            Cautions.Repeated(union),
            Cautions.DiagnosticsOf([union, .. UnionType.CaseTypesOf(union), .. unions]),
            Cautions.IsClsCompliant(compilation.Assembly),
            error);
    }
}
