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
        select declaration.Key.WithProductAttribute(declaration.First().Model, "BufferedIgnore");
}
