using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>The comments in an expression that a fix replaces.</summary>
internal static class ExpressionComments
{
    /// <summary>Puts the comments that the new expression does not have after it.</summary>
    /// <param name="expression">The new expression.</param>
    /// <param name="before">The one that it replaces.</param>
    /// <param name="lineEnd">The line ending of the file.</param>
    public static ExpressionSyntax WithCommentsOf(this ExpressionSyntax expression, SyntaxNode before, string lineEnd)
    {
        var kept = CommentsIn(expression).Select(static comment => comment.ToString()).ToList();
        var moved = CommentsIn(before)
            .Where(comment => !kept.Remove(comment.ToString()))
            .SelectMany(comment => comment.IsKind(SyntaxKind.SingleLineCommentTrivia) ? new[] { SyntaxFactory.Space, comment, SyntaxFactory.EndOfLine(lineEnd) } : [SyntaxFactory.Space, comment]);
        return expression.WithTrailingTrivia(moved.ToList().Concat(expression.GetTrailingTrivia()));
    }

    private static IEnumerable<SyntaxTrivia> CommentsIn(SyntaxNode node) =>
        node.DescendantTrivia().Where(static trivia => trivia.IsKind(SyntaxKind.SingleLineCommentTrivia) || trivia.IsKind(SyntaxKind.MultiLineCommentTrivia));
}
