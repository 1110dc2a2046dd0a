using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that converts a view's string where code provides a replacement for null: <c>view.Note.ToString() ?? ""</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MakeStringCodeFix() : SyntaxCodeFix("Convert to a string, which may be null", NullTest.NoSuchOperator, NullTest.ConditionalAccess)
{
    private const string MakesString = ".ToString()";

    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let use = place.Node.FirstAncestorOrSelf<ExpressionSyntax>(static node => node is BinaryExpressionSyntax or ConditionalAccessExpressionSyntax)
        let text = use is null ? null : TextOf(use)
        where text is not null && place.Model.IsViewText(text)
        let lineEnd = DeclarationEdits.LineEndOf(use.SyntaxTree.GetText(cancellation))
        select new SyntaxEdit(use, current => OfString((ExpressionSyntax)current).WithCommentsOf(current, lineEnd));

    private static ExpressionSyntax? TextOf(ExpressionSyntax use) => use switch
    {
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } coalesce => coalesce.Left,
        ConditionalAccessExpressionSyntax access => access.Expression,
        _ => null,
    };

    private static ExpressionSyntax OfString(ExpressionSyntax use) => use switch
    {
        BinaryExpressionSyntax coalesce => coalesce.WithLeft(StringOf(coalesce.Left)),
        ConditionalAccessExpressionSyntax access when access.WhenNotNull.ToString() == MakesString => StringOf(access.Expression).WithTriviaFrom(access),
        ConditionalAccessExpressionSyntax access => access.WithExpression(StringOf(access.Expression)),
        _ => use,
    };

    private static ExpressionSyntax StringOf(ExpressionSyntax text) => SyntaxFactory.ParseExpression(NullTest.Primary(text) + MakesString).WithTriviaFrom(text);
}
