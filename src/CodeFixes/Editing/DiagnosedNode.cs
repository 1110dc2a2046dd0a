using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>Where a diagnostic is.</summary>
/// <param name="Diagnostic">The diagnostic.</param>
/// <param name="Node">The innermost node at its place.</param>
/// <param name="Model">What the names in its file mean.</param>
internal sealed record DiagnosedNode(Diagnostic Diagnostic, SyntaxNode Node, SemanticModel Model)
{
    /// <summary>The source type or union that breaks the rule; null if the place is in none.</summary>
    public INamedTypeSymbol? Source =>
        Diagnostic.Properties.TryGetValue(DiagnosticProperty.Source, out var id) && id is not null
            ? DocumentationCommentId.GetFirstSymbolForDeclarationId(id, Model.Compilation) as INamedTypeSymbol
            : null;

    /// <summary>The type whose name is the diagnostic's place, if it is a message source or a union.</summary>
    public INamedTypeSymbol? DeclaredSource =>
        Node is TypeDeclarationSyntax declaration && Model.GetDeclaredSymbol(declaration) is { } type && (SourceType.IsSource(type) || UnionType.IsUnion(type)) ? type : null;

    /// <summary>The type that an attribute declares as a case, if the attribute is the diagnostic's place.</summary>
    public INamedTypeSymbol? DeclaredCase =>
        Node is AttributeSyntax attribute && attribute.Name.DescendantNodesAndSelf().OfType<GenericNameSyntax>().FirstOrDefault() is { TypeArgumentList.Arguments: [var type] }
            ? Model.GetTypeInfo(type).Type as INamedTypeSymbol
            : null;

    /// <summary>The declaration of the member whose name is the diagnostic's place; a parameter for a positional record; null for others.</summary>
    public SyntaxNode? Member => Node.MemberDeclaration();
}
