using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that compares the view's string itself: with a UTF-8 literal if the other operand is a literal, otherwise with the string.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class CompareInPlaceCodeFix() : SyntaxCodeFix("Compare without creating a string", Rules.ComparisonAllocates.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let comparison = ComparisonOf(place)
        where comparison is not null
        let replacement = NeedsBrackets(place.Node) ? SyntaxFactory.ParenthesizedExpression(comparison) : comparison
        select new SyntaxEdit(place.Node, _ => replacement.WithTriviaFrom(place.Node));

    private static ExpressionSyntax? ComparisonOf(DiagnosedNode place)
    {
        var (left, right, kind) = place.Node switch
        {
            BinaryExpressionSyntax binary => (binary.Left, binary.Right, binary.Kind()),
            InvocationExpressionSyntax { ArgumentList.Arguments: [var first, var second] } => (first.Expression, second.Expression, SyntaxKind.EqualsExpression),
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access, ArgumentList.Arguments: [var argument] } =>
                (access.Expression, argument.Expression, SyntaxKind.EqualsExpression),
            _ => ((ExpressionSyntax?)null, (ExpressionSyntax?)null, SyntaxKind.None),
        };
        return left is null || right is null ? null : Compare(Side(left, place.Model), Side(right, place.Model), kind);
    }

    // The operator for UTF-8 bytes has the view's string on the left, so a literal moves to the right.
    private static ExpressionSyntax Compare((ExpressionSyntax Expression, bool IsLiteral) left, (ExpressionSyntax Expression, bool IsLiteral) right, SyntaxKind kind)
    {
        if (left.IsLiteral)
        {
            (left, right) = (right, left);
        }

        var @operator = kind == SyntaxKind.EqualsExpression ? "==" : "!=";
        return SyntaxFactory.ParseExpression($"{left.Expression} {@operator} {right.Expression}");
    }

    private static (ExpressionSyntax Expression, bool IsLiteral) Side(ExpressionSyntax side, SemanticModel model)
    {
        var bare = Unwrapped(side);
        var made = bare switch
        {
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "ToString" } access } => access.Expression,
            CastExpressionSyntax cast => cast.Expression,
            _ => null,
        };
        if (made is not null && model.GetTypeInfo(made).Type is INamedTypeSymbol type && type.Is("BufferedMessages", "BufferedString"))
        {
            return (made.WithoutTrivia(), false);
        }

        return bare.IsKind(SyntaxKind.StringLiteralExpression)
            ? (SyntaxFactory.ParseExpression(bare + "u8"), true)
            : (IsPrimary(bare) ? bare.WithoutTrivia() : SyntaxFactory.ParenthesizedExpression(bare.WithoutTrivia()), false);
    }

    private static ExpressionSyntax Unwrapped(ExpressionSyntax expression) => expression switch
    {
        ParenthesizedExpressionSyntax brackets => Unwrapped(brackets.Expression),
        PostfixUnaryExpressionSyntax suppression when suppression.IsKind(SyntaxKind.SuppressNullableWarningExpression) => Unwrapped(suppression.Operand),
        _ => expression,
    };

    private static bool IsPrimary(ExpressionSyntax expression) =>
        expression is LiteralExpressionSyntax or NameSyntax or MemberAccessExpressionSyntax or InvocationExpressionSyntax or ElementAccessExpressionSyntax or ThisExpressionSyntax;

    // A call has a higher precedence than a comparison.
    private static bool NeedsBrackets(SyntaxNode node) =>
        node is InvocationExpressionSyntax
        && node.Parent is PrefixUnaryExpressionSyntax or MemberAccessExpressionSyntax or CastExpressionSyntax or AwaitExpressionSyntax
            or BinaryExpressionSyntax { RawKind: not ((int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression) };
}
