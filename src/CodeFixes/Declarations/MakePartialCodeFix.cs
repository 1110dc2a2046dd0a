using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that declares a source and all its containing types partial.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MakePartialCodeFix() : SyntaxCodeFix("Declare partial", Rules.NotPartial.Id, Rules.ContainerNotPartial.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        places.SelectMany(static place => place.Node.PartialChain());
}
