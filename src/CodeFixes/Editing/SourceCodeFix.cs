using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that mends one diagnostic and any number of them in the same way, so that Fix All is the same code.</summary>
/// <param name="title">What the editor shows.</param>
/// <param name="rules">The rules whose diagnostics it mends.</param>
public abstract class SourceCodeFix(string title, params string[] rules) : CodeFixProvider
{
    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; } = [.. rules];

    internal string Title { get; } = title;

    /// <inheritdoc/>
    public sealed override FixAllProvider GetFixAllProvider() => new EverywhereFixAll(this);

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var solution = context.Document.Project.Solution;
        foreach (var diagnostic in context.Diagnostics)
        {
            if (await CanFixAsync(context.Document, diagnostic, context.CancellationToken).ConfigureAwait(false))
            {
                context.RegisterCodeFix(
                    CodeAction.Create(Title, cancellation => FixAsync(solution, [diagnostic], cancellation), equivalenceKey: Title),
                    diagnostic);
            }
        }
    }

    /// <summary>Mends diagnostics; those that it cannot mend stay.</summary>
    internal abstract Task<Solution> FixAsync(Solution solution, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation);

    /// <summary>Whether the diagnostic is one that the fix can mend.</summary>
    private protected virtual Task<bool> CanFixAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation) => Task.FromResult(true);
}
