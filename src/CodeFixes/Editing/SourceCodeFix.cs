using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix for any number of diagnostics at once, so that Fix All runs the same code.</summary>
/// <param name="title">The title in the editor.</param>
/// <param name="rules">The rules that it fixes.</param>
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

    /// <summary>Fixes diagnostics; those that it cannot fix remain.</summary>
    internal abstract Task<Solution> FixAsync(Solution solution, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation);

    /// <summary>Determines whether the diagnostic can be fixed.</summary>
    private protected virtual Task<bool> CanFixAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation) => Task.FromResult(true);
}
