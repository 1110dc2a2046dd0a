using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that replaces a view's comparison with null, which the compiler rejects, by <c>IsNull</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AskIsNullCodeFix() : SyntaxCodeFix("Use IsNull", NullTest.NullOfStruct, NullTest.NoSuchOperator)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let test = place.Node.FirstAncestorOrSelf<ExpressionSyntax>(static node => node is IsPatternExpressionSyntax or BinaryExpressionSyntax)
        let question = test is null ? null : QuestionOf(test, place.Model)
        where question is not null
        select new SyntaxEdit(test, _ => question.WithTriviaFrom(test));

    private static ExpressionSyntax? QuestionOf(ExpressionSyntax test, SemanticModel model)
    {
        var (view, isNegated) = test switch
        {
            IsPatternExpressionSyntax { Pattern: ConstantPatternSyntax { Expression: var value } } pattern when IsNull(value) => (pattern.Expression, false),
            IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax { Pattern: ConstantPatternSyntax { Expression: var value } } } pattern when IsNull(value) => (pattern.Expression, true),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.EqualsExpression } equals => (Compared(equals), false),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression } differs => (Compared(differs), true),
            _ => ((ExpressionSyntax?)null, false),
        };
        return view is not null && model.IsView(view) ? NullTest.Ask(view, isNegated) : null;
    }

    private static ExpressionSyntax? Compared(BinaryExpressionSyntax comparison) =>
        IsNull(comparison.Right) ? comparison.Left
        : IsNull(comparison.Left) ? comparison.Right
        : null;

    private static bool IsNull(ExpressionSyntax expression) => expression.IsKind(SyntaxKind.NullLiteralExpression);
}
