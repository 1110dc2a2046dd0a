using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.CodeFixes;

/// <summary>A provider that fixes all diagnostics of a document, a project or the solution at once, since a fix may change files other than the diagnostic's.</summary>
internal sealed class EverywhereFixAll(SourceCodeFix fix) : FixAllProvider
{
    public override IEnumerable<FixAllScope> GetSupportedFixAllScopes() => [FixAllScope.Document, FixAllScope.Project, FixAllScope.Solution];

    public override Task<CodeAction?> GetFixAsync(FixAllContext fixAllContext) =>
        Task.FromResult<CodeAction?>(CodeAction.Create(fix.Title, cancellation => FixAsync(fixAllContext.WithCancellationToken(cancellation)), equivalenceKey: fix.Title));

    // Analyzers run at the same time, so diagnostics come in no particular order. Numbers and names are given in the order of the files.
    private async Task<Solution> FixAsync(FixAllContext context)
    {
        var diagnostics = await DiagnosticsAsync(context).ConfigureAwait(false);
        var inOrder = diagnostics
            .OrderBy(static diagnostic => diagnostic.Location.SourceTree?.FilePath, StringComparer.Ordinal)
            .ThenBy(static diagnostic => diagnostic.Location.SourceSpan.Start);
        return await fix.FixAsync(context.Solution, [.. inOrder], context.CancellationToken).ConfigureAwait(false);
    }

    private static async Task<ImmutableArray<Diagnostic>> DiagnosticsAsync(FixAllContext context)
    {
        switch (context.Scope)
        {
            case FixAllScope.Document:
                return await context.GetDocumentDiagnosticsAsync(context.Document!).ConfigureAwait(false);
            case FixAllScope.Project:
                return await context.GetAllDiagnosticsAsync(context.Project).ConfigureAwait(false);
        }

        var all = ImmutableArray.CreateBuilder<Diagnostic>();
        foreach (var project in context.Solution.Projects)
        {
            all.AddRange(await context.GetAllDiagnosticsAsync(project).ConfigureAwait(false));
        }

        return all.ToImmutable();
    }
}
