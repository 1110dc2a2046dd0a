using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Editing;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that edits the syntax of the project's files.</summary>
/// <param name="title">The title in the editor.</param>
/// <param name="rules">The rules that it fixes.</param>
public abstract class SyntaxCodeFix(string title, params string[] rules) : SourceCodeFix(title, rules)
{
    internal sealed override async Task<Solution> FixAsync(Solution solution, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation)
    {
        var editor = new SolutionEditor(solution);
        var places = ImmutableArray.CreateBuilder<DiagnosedNode>();
        foreach (var diagnostic in diagnostics)
        {
            if (solution.GetDocument(diagnostic.Location.SourceTree) is { } document)
            {
                var documentEditor = await editor.GetDocumentEditorAsync(document.Id, cancellation).ConfigureAwait(false);
                places.Add(new DiagnosedNode(diagnostic, NodeOf(documentEditor.OriginalRoot, diagnostic), documentEditor.SemanticModel));
            }
        }

        // Inner nodes first, so that an outer edit receives their changes.
        foreach (var edit in Edits(places.ToImmutable(), cancellation).OrderByDescending(static edit => edit.Node.Ancestors().Count()))
        {
            if (solution.GetDocument(edit.Node.SyntaxTree) is { } document)
            {
                var documentEditor = await editor.GetDocumentEditorAsync(document.Id, cancellation).ConfigureAwait(false);
                documentEditor.ReplaceNode(edit.Node, (node, _) => edit.Replace(node));
            }
        }

        return editor.GetChangedSolution();
    }

    /// <summary>Gets the edits that fix diagnostics. Edits of one node are applied one after the other.</summary>
    private protected abstract IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation);

    private protected sealed override async Task<bool> CanFixAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        var model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        var root = await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false);
        return model is not null && root is not null && Edits([new DiagnosedNode(diagnostic, NodeOf(root, diagnostic), model)], cancellation).Any(edit => document.Project.Solution.GetDocument(edit.Node.SyntaxTree) is not null);
    }

    private static SyntaxNode NodeOf(SyntaxNode root, Diagnostic diagnostic) => root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
}
