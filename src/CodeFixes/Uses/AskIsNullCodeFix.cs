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
        where test is not null && TestOf(test).View is { } view && place.Model.IsView(view)
        let lineEnd = DeclarationEdits.LineEndOf(test.SyntaxTree.GetText(cancellation))
        select new SyntaxEdit(test, current => Question((ExpressionSyntax)current).WithCommentsOf(current, lineEnd));

    private static ExpressionSyntax Question(ExpressionSyntax test)
    {
        var (view, isNegated) = TestOf(test);
        return NullTest.Ask(view!, isNegated).WithTriviaFrom(test);
    }

    private static (ExpressionSyntax? View, bool IsNegated) TestOf(ExpressionSyntax test) => test switch
    {
        IsPatternExpressionSyntax { Pattern: ConstantPatternSyntax { Expression: var value } } pattern when IsNull(value) => (pattern.Expression, false),
        IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax { Pattern: ConstantPatternSyntax { Expression: var value } } } pattern when IsNull(value) => (pattern.Expression, true),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.EqualsExpression } equals => (Compared(equals), false),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression } differs => (Compared(differs), true),
        _ => (null, false),
    };

    private static ExpressionSyntax? Compared(BinaryExpressionSyntax comparison) =>
        IsNull(comparison.Right) ? comparison.Left
        : IsNull(comparison.Left) ? comparison.Right
        : null;

    private static bool IsNull(ExpressionSyntax expression) => expression.IsKind(SyntaxKind.NullLiteralExpression);
}
