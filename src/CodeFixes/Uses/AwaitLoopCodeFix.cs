using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that replaces a loop over <c>ReadAll</c> with an await in it by <c>await foreach</c> over <c>ReadAllAsync</c>, which has the same arguments and deliveries.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AwaitLoopCodeFix() : SyntaxCodeFix("Loop with await foreach", Rules.ViewOverAwait.Id)
{
    private const string Reading = "ReadAll";

    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let call = place.Node as InvocationExpressionSyntax
        where call is { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: Reading }, Parent: CommonForEachStatementSyntax }
            && LifetimeTypes.Of(place.Model.Compilation)?.IsDeliveryLoop(place.Model.GetTypeInfo(call, cancellation).Type) == true
        select new SyntaxEdit(call.Parent!, static loop => WithAwait((CommonForEachStatementSyntax)loop));

    private static CommonForEachStatementSyntax WithAwait(CommonForEachStatementSyntax loop)
    {
        var call = (InvocationExpressionSyntax)loop.Expression;
        var member = (MemberAccessExpressionSyntax)call.Expression;
        var name = SyntaxFactory.IdentifierName(Reading + "Async").WithTriviaFrom(member.Name);
        return loop
            .WithExpression(call.WithExpression(member.WithName(name)))
            .WithForEachKeyword(loop.ForEachKeyword.WithLeadingTrivia())
            .WithAwaitKeyword(SyntaxFactory.Token(SyntaxKind.AwaitKeyword).WithLeadingTrivia(loop.GetLeadingTrivia()).WithTrailingTrivia(SyntaxFactory.Space));
    }
}
