using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>Compares the view's string itself: with a UTF-8 literal where the other side is a literal, else with the string.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class CompareInPlaceCodeFix() : SyntaxCodeFix("Compare without making a string", Problem.ComparisonAllocates)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let comparison = ComparisonOf(place)
        where comparison is not null
        select new SyntaxEdit(place.Node, _ => comparison.WithTriviaFrom(place.Node));

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

    // A literal goes to the right: the operator for UTF-8 bytes has the view's string on its left.
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
        var bare = side.WithoutTrivia();
        switch (bare)
        {
            case LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.StringLiteralExpression):
                return (SyntaxFactory.ParseExpression(literal + "u8"), true);
            case InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "ToString" } access }:
                return IsViewString(((MemberAccessExpressionSyntax)((InvocationExpressionSyntax)side).Expression).Expression, model) ? (access.Expression, false) : (bare, false);
            case CastExpressionSyntax cast:
                return IsViewString(((CastExpressionSyntax)side).Expression, model) ? (cast.Expression, false) : (bare, false);
            default:
                return (bare, false);
        }
    }

    private static bool IsViewString(ExpressionSyntax expression, SemanticModel model) =>
        model.GetTypeInfo(expression).Type is INamedTypeSymbol type && type.Is("BufferedMessages", "BufferedString");
}
