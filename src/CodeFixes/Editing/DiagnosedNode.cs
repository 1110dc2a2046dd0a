using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A diagnostic and its node.</summary>
/// <param name="Diagnostic">The diagnostic.</param>
/// <param name="Node">The innermost node at its location.</param>
/// <param name="Model">The semantic model of its file.</param>
internal sealed record DiagnosedNode(Diagnostic Diagnostic, SyntaxNode Node, SemanticModel Model)
{
    /// <summary>Gets the source type or union that breaks the rule; null if the location is in none.</summary>
    public INamedTypeSymbol? Source =>
        Diagnostic.Properties.TryGetValue(DiagnosticProperty.Source, out var id) && id is not null
            ? DocumentationCommentId.GetFirstSymbolForDeclarationId(id, Model.Compilation) as INamedTypeSymbol
            : null;

    /// <summary>Gets the type at whose name the diagnostic is, if it is a message source or a union.</summary>
    public INamedTypeSymbol? DeclaredSource =>
        Node is TypeDeclarationSyntax declaration && Model.GetDeclaredSymbol(declaration) is { } type && (SourceType.IsSource(type) || UnionType.IsUnion(type)) ? type : null;

    /// <summary>Gets the type that an attribute declares as a case, if the diagnostic is at the attribute.</summary>
    public INamedTypeSymbol? DeclaredCase =>
        Node is AttributeSyntax attribute && attribute.Name.DescendantNodesAndSelf().OfType<GenericNameSyntax>().FirstOrDefault() is { TypeArgumentList.Arguments: [var type] }
            ? Model.GetTypeInfo(type).Type as INamedTypeSymbol
            : null;

    /// <summary>Gets the semantic model of a file of the diagnostic's project, or of a project that it refers to; null for other files.</summary>
    public SemanticModel? ModelOf(SyntaxTree file) =>
        Model.Compilation.References
            .OfType<CompilationReference>()
            .Select(static reference => reference.Compilation)
            .Prepend(Model.Compilation)
            .FirstOrDefault(compilation => compilation.ContainsSyntaxTree(file))
            ?.GetSemanticModel(file);

    /// <summary>Gets the declaration of the member at whose name the diagnostic is; a parameter for a positional record; null for others.</summary>
    public SyntaxNode? Member => Node.MemberDeclaration();
}
