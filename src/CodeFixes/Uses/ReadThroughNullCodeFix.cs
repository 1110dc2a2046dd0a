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
        where access is not null && place.Model.IsView(access.Expression) && !MakeStringCodeFix.IsText(access.Expression, place.Model)
        let read = ReadOf(access, place.Model)
        where read is not null
        select new SyntaxEdit(access, _ => read.WithTriviaFrom(access));

    private static ExpressionSyntax? ReadOf(ConditionalAccessExpressionSyntax access, SemanticModel model)
    {
        var member = SyntaxFactory.ParseExpression(NullTest.Primary(access.Expression) + access.WhenNotNull);
        return model.GetSpeculativeTypeInfo(access.SpanStart, member, SpeculativeBindingOption.BindAsExpression).Type switch
        {
            null or IErrorTypeSymbol => null,
            { IsRefLikeType: true } => member,
            { IsReferenceType: true } => Conditional("null"),
            { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } type => Conditional($"({type.ToMinimalDisplayString(model, access.SpanStart)})null"),
            var type => Conditional($"({type.ToMinimalDisplayString(model, access.SpanStart)}?)null"),
        };

        ExpressionSyntax Conditional(string none)
        {
            var text = $"{NullTest.Ask(access.Expression)} ? {none} : {member}";
            return SyntaxFactory.ParseExpression(access.Parent is ArrowExpressionClauseSyntax or EqualsValueClauseSyntax or ReturnStatementSyntax or ArgumentSyntax ? text : $"({text})");
        }
    }
}
