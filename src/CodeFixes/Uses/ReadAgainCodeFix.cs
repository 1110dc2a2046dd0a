using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that takes a view from its delivery again wherever it is used after an await. A view that does not come from the local of a delivery is left to a person.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ReadAgainCodeFix() : SyntaxCodeFix("Take the view from the delivery again after the await", Rules.ViewOverAwait.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        where place.Model.GetSymbolInfo(place.Node, cancellation).Symbol is ILocalSymbol && LifetimeTypes.Of(place.Model.Compilation) is not null
        let view = (ILocalSymbol)place.Model.GetSymbolInfo(place.Node, cancellation).Symbol!
        let source = ViewOfDelivery.Of(view, place.Model, LifetimeTypes.Of(place.Model.Compilation)!, cancellation)
        where source is not null
        from location in place.Diagnostic.AdditionalLocations.Prepend(place.Diagnostic.Location)
        let use = place.Node.SyntaxTree.GetRoot(cancellation).FindNode(location.SourceSpan, getInnermostNodeForTie: true)
        select new SyntaxEdit(use, current => source.WithTriviaFrom(current));
}
