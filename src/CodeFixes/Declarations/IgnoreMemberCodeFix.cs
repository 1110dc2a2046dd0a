using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that excludes members that are not or cannot be stored.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class IgnoreMemberCodeFix()
    : SyntaxCodeFix("Exclude the member with [BufferedIgnore]", Rules.UnsupportedType.Id, Rules.NotASource.Id, Rules.UnstableLayout.Id, Rules.NoGetter.Id, Rules.UnsupportedKey.Id, Rules.NotStored.Id)
{
    // One declaration may declare several fields, of which a constructor may restore some; a member of a base may be reported for several sources.
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        where place.Member is not null && !(place.Diagnostic.Id == Rules.NotStored.Id && place.Member is FieldDeclarationSyntax { Declaration.Variables.Count: > 1 })
        group place by place.Member into declaration
        select Exclude(declaration.Key, declaration.First().Model);

    // A number has no effect on an excluded member, so the attribute takes its place.
    private static SyntaxEdit Exclude(SyntaxNode declaration, SemanticModel model) =>
        NumberOf(declaration, model) is { } number
            ? number.ReplacedByProductAttribute(model, "BufferedIgnore")
            : declaration.WithProductAttribute(model, "BufferedIgnore");

    private static AttributeSyntax? NumberOf(SyntaxNode declaration, SemanticModel model) =>
        declaration.ChildNodes()
            .OfType<AttributeListSyntax>()
            .SelectMany(static list => list.Attributes)
            .FirstOrDefault(attribute => model.GetTypeInfo(attribute).Type is INamedTypeSymbol type && type.Is("BufferedMessages", MemberParser.MemberAttribute));
}
