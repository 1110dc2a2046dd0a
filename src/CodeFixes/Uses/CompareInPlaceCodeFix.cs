using System.Collections.Immutable;
using System.Composition;
using System.Text;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that compares the view's string itself: with a UTF-8 literal if the other operand is a literal that has one, otherwise with the string.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class CompareInPlaceCodeFix() : SyntaxCodeFix("Compare without creating a string", Rules.ComparisonAllocates.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let sides = SidesOf(place.Node)
        where sides is not null && !IsAfterQuestionMark(place.Node)
        let isLeftView = IsView(MadeOf(sides.Value.Left), place.Model)
        let isRightView = IsView(MadeOf(sides.Value.Right), place.Model)
        let needsBrackets = NeedsBrackets(place.Node)
        let lineEnd = DeclarationEdits.LineEndOf(place.Node.SyntaxTree.GetText(cancellation))
        select new SyntaxEdit(place.Node, current => Compared(current, isLeftView, isRightView, needsBrackets).WithCommentsOf(current, lineEnd));

    private static (ExpressionSyntax Left, ExpressionSyntax Right)? SidesOf(SyntaxNode node) => node switch
    {
        BinaryExpressionSyntax binary => (binary.Left, binary.Right),
        InvocationExpressionSyntax { ArgumentList.Arguments: [var first, var second] } => (first.Expression, second.Expression),
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access, ArgumentList.Arguments: [var argument] } => (access.Expression, argument.Expression),
        _ => null,
    };

    // A call that begins with the dot of '?.' has no operator in its place.
    private static bool IsAfterQuestionMark(SyntaxNode node) => node.GetFirstToken().Kind() is SyntaxKind.DotToken or SyntaxKind.OpenBracketToken;

    // The operator for UTF-8 bytes has the view's string on the left, so a literal moves to the right.
    private static ExpressionSyntax Compared(SyntaxNode node, bool isLeftView, bool isRightView, bool needsBrackets)
    {
        var sides = SidesOf(node)!.Value;
        var (left, right) = (Side(sides.Left, isLeftView), Side(sides.Right, isRightView));
        if (left.IsLiteral)
        {
            (left, right) = (right, left);
        }

        if (node is BinaryExpressionSyntax binary)
        {
            return binary.WithLeft(left.Expression.WithTriviaFrom(sides.Left)).WithRight(right.Expression.WithTriviaFrom(sides.Right));
        }

        var comparison = SyntaxFactory.ParseExpression($"{left.Expression} == {right.Expression}");
        return (needsBrackets ? SyntaxFactory.ParenthesizedExpression(comparison) : comparison).WithTriviaFrom(node);
    }

    private static (ExpressionSyntax Expression, bool IsLiteral) Side(ExpressionSyntax side, bool isView)
    {
        if (isView)
        {
            return (MadeOf(side)!.WithoutTrivia(), false);
        }

        var bare = Unwrapped(side);
        if (bare is ImplicitObjectCreationExpressionSyntax creation)
        {
            // Without the parameter of the call, nothing says that it is a string.
            return (SyntaxFactory.ParseExpression("new string" + creation.ArgumentList), false);
        }

        return bare is LiteralExpressionSyntax { RawKind: (int)SyntaxKind.StringLiteralExpression, Token.ValueText: var text } && IsUtf8(text)
            ? (SyntaxFactory.ParseExpression(bare + "u8"), true)
            : (IsPrimary(bare) ? bare.WithoutTrivia() : SyntaxFactory.ParenthesizedExpression(bare.WithoutTrivia()), false);
    }

    // A text with half of a surrogate pair has no UTF-8 literal.
    private static bool IsUtf8(string text) => string.Equals(Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)), text, StringComparison.Ordinal);

    /// <summary>Gets the expression that a string is created from, by a call or a conversion; null for other strings.</summary>
    private static ExpressionSyntax? MadeOf(ExpressionSyntax side) => Unwrapped(side) switch
    {
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "ToString" } access } => access.Expression,
        CastExpressionSyntax cast => cast.Expression,
        _ => null,
    };

    private static bool IsView(ExpressionSyntax? expression, SemanticModel model) => expression is not null && model.IsViewText(expression);

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
            or IsPatternExpressionSyntax or SwitchExpressionSyntax
            or BinaryExpressionSyntax { RawKind: not ((int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression) };
}
