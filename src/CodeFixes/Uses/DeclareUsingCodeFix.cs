using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that declares the local of a claim with <c>using</c>. The result of an out parameter needs a using statement, which a person must place.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class DeclareUsingCodeFix() : SyntaxCodeFix("Declare with using", Rules.NotDisposed.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        let declaration = place.Node.FirstAncestorOrSelf<VariableDeclaratorSyntax>()?.Parent?.Parent as LocalDeclarationStatementSyntax
        where declaration is { Declaration.Variables.Count: 1, Parent: BlockSyntax }
        select new SyntaxEdit(declaration, static current => WithUsing((LocalDeclarationStatementSyntax)current));

    private static LocalDeclarationStatementSyntax WithUsing(LocalDeclarationStatementSyntax declaration) =>
        declaration
            .WithLeadingTrivia()
            .WithUsingKeyword(SyntaxFactory.Token(SyntaxKind.UsingKeyword).WithLeadingTrivia(declaration.GetLeadingTrivia()).WithTrailingTrivia(SyntaxFactory.Space));
}
