using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>
/// A fix that reads a member of a nullable view without <c>?.</c>, which the compiler rejects. A view in a null view is null too; before other members, <c>IsNull</c> is tested.
/// Strings are left to <see cref="MakeStringCodeFix"/>, since code expects the members of <see cref="string"/> there.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ReadThroughNullCodeFix() : SyntaxCodeFix("Test IsNull before reading it", NullTest.ConditionalAccess)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let access = place.Node.FirstAncestorOrSelf<ConditionalAccessExpressionSyntax>()
        where access is not null && place.Model.IsView(access.Expression) && !place.Model.IsViewText(access.Expression)
        let none = NoneOf(access, place.Model)
        where none is not null && (none.Length == 0 || CanBeRepeated(access.Expression, place.Model))
        let needsBrackets = access.Parent is not (ArrowExpressionClauseSyntax or EqualsValueClauseSyntax or ReturnStatementSyntax or ArgumentSyntax)
        let lineEnd = DeclarationEdits.LineEndOf(access.SyntaxTree.GetText(cancellation))
        select new SyntaxEdit(access, current => Read((ConditionalAccessExpressionSyntax)current, none, needsBrackets).WithCommentsOf(current, lineEnd));

    /// <summary>Gets the value for a null view; nothing if the member itself has it; null if the member has no value, or one of a type that may be null or not, or that code cannot name.</summary>
    private static string? NoneOf(ConditionalAccessExpressionSyntax access, SemanticModel model) =>
        access.Parent is ExpressionStatementSyntax ? null
        : model.GetSpeculativeTypeInfo(access.SpanStart, MemberOf(access), SpeculativeBindingOption.BindAsExpression).Type switch
        {
            null or IErrorTypeSymbol or { SpecialType: SpecialType.System_Void } => null,
            { IsRefLikeType: true } => "",
            { IsReferenceType: true } => "null",
            { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } type when type.TextAt(model, access.SpanStart) is { } text => $"({text})null",
            { IsValueType: true } type when type.TextAt(model, access.SpanStart) is { } text => $"({text}?)null",
            _ => null,
        };

    // The test and the read both evaluate what gives the view, so it must change nothing. The methods of views only read.
    private static bool CanBeRepeated(ExpressionSyntax view, SemanticModel model) => view.DescendantNodesAndSelf().All(part => part switch
    {
        InvocationExpressionSyntax call => model.GetSymbolInfo(call).Symbol is IMethodSymbol { ContainingType.IsRefLikeType: true },
        PostfixUnaryExpressionSyntax postfix => postfix.IsKind(SyntaxKind.SuppressNullableWarningExpression),
        PrefixUnaryExpressionSyntax prefix => !prefix.IsKind(SyntaxKind.PreIncrementExpression) && !prefix.IsKind(SyntaxKind.PreDecrementExpression),
        ExpressionSyntax expression => expression is TypeSyntax or MemberAccessExpressionSyntax or ElementAccessExpressionSyntax or ThisExpressionSyntax or BaseExpressionSyntax
            or LiteralExpressionSyntax or ParenthesizedExpressionSyntax or CastExpressionSyntax or ConditionalExpressionSyntax or BinaryExpressionSyntax,
        _ => true,
    });

    private static ExpressionSyntax Read(ConditionalAccessExpressionSyntax access, string none, bool needsBrackets)
    {
        var member = MemberOf(access);
        var text = $"{NullTest.Ask(access.Expression)} ? {none} : {member}";
        var read = none.Length == 0 ? member : SyntaxFactory.ParseExpression(needsBrackets ? $"({text})" : text);
        return read.WithTriviaFrom(access);
    }

    private static ExpressionSyntax MemberOf(ConditionalAccessExpressionSyntax access) => SyntaxFactory.ParseExpression(NullTest.Primary(access.Expression) + access.WhenNotNull);
}
