using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;

namespace BufferedMessages.CodeFixes;

/// <summary>
/// A fix that copies a delivery or an owner to a local before the statement, and takes the view from the local. It does so only where the compiler finds that the
/// view does not outlive the local.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class TakeOfLocalCodeFix() : SourceCodeFix("Take the view from a local", Rules.ViewOfStored.Id)
{
    internal override async Task<Solution> FixAsync(Solution solution, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation)
    {
        var editor = new SolutionEditor(solution);
        foreach (var group in diagnostics.GroupBy(diagnostic => solution.GetDocument(diagnostic.Location.SourceTree)))
        {
            if (group.Key is { } document)
            {
                var fixable = new List<Diagnostic>();
                foreach (var diagnostic in group)
                {
                    if (await CanFixAsync(document, diagnostic, cancellation).ConfigureAwait(false))
                    {
                        fixable.Add(diagnostic);
                    }
                }

                Fix(await editor.GetDocumentEditorAsync(document.Id, cancellation).ConfigureAwait(false), fixable);
            }
        }

        return editor.GetChangedSolution();
    }

    private protected override async Task<bool> CanFixAsync(Document document, Diagnostic diagnostic, CancellationToken cancellation)
    {
        // The object of a method that takes a delivery by reference is not what the view is taken from.
        var editor = await DocumentEditor.CreateAsync(document, cancellation).ConfigureAwait(false);
        if (HolderAt(editor.OriginalRoot, diagnostic) is not { } holder || editor.SemanticModel.GetTypeInfo(holder, cancellation).Type is not { IsValueType: true })
        {
            return false;
        }

        Fix(editor, [diagnostic]);
        var before = await ErrorsAsync(document, cancellation).ConfigureAwait(false);
        return await ErrorsAsync(editor.GetChangedDocument(), cancellation).ConfigureAwait(false) <= before;
    }

    private static async Task<int> ErrorsAsync(Document document, CancellationToken cancellation)
    {
        var model = await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        return model!.GetDiagnostics(cancellationToken: cancellation).Count(static problem => problem.Severity == DiagnosticSeverity.Error);
    }

    // An expression that occurs several times in one statement is copied once.
    private static void Fix(DocumentEditor editor, IEnumerable<Diagnostic> diagnostics)
    {
        var taken = new Dictionary<SyntaxNode, HashSet<string>>();
        var moved = new HashSet<StatementSyntax>();
        var holders = diagnostics.Select(diagnostic => HolderAt(editor.OriginalRoot, diagnostic)).OfType<ExpressionSyntax>();
        foreach (var uses in holders.GroupBy(static holder => (Statement: StatementOf(holder)!, Text: holder.ToString())))
        {
            var member = uses.Key.Statement.FirstAncestorOrSelf<MemberDeclarationSyntax>() ?? editor.OriginalRoot;
            if (!taken.TryGetValue(member, out var names))
            {
                taken.Add(member, names = FreeNames.TakenAt(editor.SemanticModel, uses.Key.Statement.SpanStart, member));
            }

            var name = names.TakeName(StemOf(uses.First()));
            var declaration = Declaration(name, uses.First(), uses.Key.Statement);
            var directives = moved.Add(uses.Key.Statement) ? DirectivesBefore(uses.Key.Statement) : [];
            editor.InsertBefore(uses.Key.Statement, declaration.WithLeadingTrivia(directives.AddRange(declaration.GetLeadingTrivia())));
            if (directives.Count != 0)
            {
                editor.ReplaceNode(uses.Key.Statement, (statement, _) => statement.WithLeadingTrivia(statement.GetLeadingTrivia().Skip(directives.Count)));
            }

            foreach (var use in uses)
            {
                editor.ReplaceNode(use, SyntaxFactory.IdentifierName(name).WithTriviaFrom(use));
            }
        }
    }

    /// <summary>Gets the expression that the view is taken from, if it can be copied before its statement.</summary>
    private static ExpressionSyntax? HolderAt(SyntaxNode root, Diagnostic diagnostic)
    {
        var use = root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
        var access = use is InvocationExpressionSyntax call ? call.Expression : use;
        return access is MemberAccessExpressionSyntax { RawKind: (int)SyntaxKind.SimpleMemberAccessExpression, Expression: var holder } && IsPlain(holder) && StatementOf(holder) is { } statement && CanBeEvaluatedBefore(statement, holder)
            ? holder
            : null;
    }

    // Evaluating it earlier gives the same result.
    private static bool IsPlain(ExpressionSyntax holder) =>
        holder.DescendantNodesAndSelf().All(static part => part
            is SimpleNameSyntax or ThisExpressionSyntax or LiteralExpressionSyntax or ElementAccessExpressionSyntax or BracketedArgumentListSyntax or ArgumentSyntax
            or MemberAccessExpressionSyntax { RawKind: (int)SyntaxKind.SimpleMemberAccessExpression });

    // The statement may assign it before it takes the view. A path or an element may not exist if a condition before it is false, and may begin with a variable that the statement itself declares.
    private static bool CanBeEvaluatedBefore(StatementSyntax statement, ExpressionSyntax holder) =>
        !statement.DescendantNodes().Any(node => node.Span.End <= holder.SpanStart && MayAssign(node))
        && (holder is SimpleNameSyntax or MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax }
            || (!holder.Ancestors().TakeWhile(node => node != statement).Any(IsConditional)
                && !statement.DescendantNodes().OfType<SingleVariableDesignationSyntax>().Any(declared =>
                    holder.DescendantNodes().OfType<IdentifierNameSyntax>().Any(name => name.Identifier.ValueText == declared.Identifier.ValueText))));

    private static bool MayAssign(SyntaxNode node) =>
        node is InvocationExpressionSyntax or BaseObjectCreationExpressionSyntax or AssignmentExpressionSyntax or AwaitExpressionSyntax
            or PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PostIncrementExpression or (int)SyntaxKind.PostDecrementExpression }
            or PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PreIncrementExpression or (int)SyntaxKind.PreDecrementExpression };

    private static bool IsConditional(SyntaxNode node) =>
        node is ConditionalExpressionSyntax or ConditionalAccessExpressionSyntax or SwitchExpressionSyntax or WhenClauseSyntax
            or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression or (int)SyntaxKind.CoalesceExpression };

    // The declaration comes after directives such as #endif, which would otherwise include it.
    private static SyntaxTriviaList DirectivesBefore(StatementSyntax statement)
    {
        var trivia = statement.GetLeadingTrivia();
        var last = trivia.LastOrDefault(static part => part.IsDirective);
        return last.IsDirective ? [.. trivia.Take(trivia.IndexOf(last) + 1)] : [];
    }

    // The condition of a loop is evaluated repeatedly, and a lambda or a query runs at another time.
    private static StatementSyntax? StatementOf(SyntaxNode node)
    {
        var around = node.FirstAncestorOrSelf<SyntaxNode>(static parent => parent is StatementSyntax or AnonymousFunctionExpressionSyntax or ArrowExpressionClauseSyntax or QueryExpressionSyntax);
        return around is LocalDeclarationStatementSyntax or ExpressionStatementSyntax or ReturnStatementSyntax or IfStatementSyntax or SwitchStatementSyntax or ForEachStatementSyntax
            && around.Parent is BlockSyntax or SwitchSectionSyntax
            ? (StatementSyntax)around
            : null;
    }

    private static LocalDeclarationStatementSyntax Declaration(string name, ExpressionSyntax holder, StatementSyntax statement)
    {
        var declaration = (LocalDeclarationStatementSyntax)SyntaxFactory.ParseStatement($"var {name} = {holder.WithoutTrivia()};");
        return statement.BeginsLine()
            ? declaration
                .WithLeadingTrivia(statement.GetLeadingTrivia().Reverse().TakeWhile(static trivia => trivia.IsKind(SyntaxKind.WhitespaceTrivia)))
                .WithTrailingTrivia(SyntaxFactory.EndOfLine(DeclarationEdits.LineEndOf(statement.SyntaxTree.GetText())))
            : declaration.WithTrailingTrivia(SyntaxFactory.Space);
    }

    // The name of the field; 'owner' for an element.
    private static string StemOf(ExpressionSyntax holder)
    {
        var stored = holder switch
        {
            SimpleNameSyntax simple => simple.Identifier.ValueText,
            MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
            _ => "",
        };
        var bare = stored.TrimStart('_');
        return bare.Length == 0 ? "owner" : char.ToLowerInvariant(bare[0]) + bare.Substring(1);
    }
}
