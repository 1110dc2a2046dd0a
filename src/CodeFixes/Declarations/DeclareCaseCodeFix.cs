using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that declares a source as a case of the unions that it derives from or implements.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class DeclareCaseCodeFix() : SyntaxCodeFix("Declare the type as a case of its union", Rules.MissingCase.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation)
    {
        var sources = places.Select(static place => place.DeclaredSource).OfType<INamedTypeSymbol>().Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default).ToList();
        var unions = sources.SelectMany(UnionType.MissingIn).Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default);
        foreach (var union in unions)
        {
            if (SourceType.AttributeOf(union).ApplicationSyntaxReference?.GetSyntax(cancellation).FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } declaration
                || places.Select(static place => place.Model.Compilation).FirstOrDefault(compilation => compilation.ContainsSyntaxTree(declaration.SyntaxTree)) is not { } project)
            {
                continue;
            }

            var model = project.GetSemanticModel(declaration.SyntaxTree);
            var number = CaseParser.LastNumberOf(union);
            foreach (var source in sources.Where(source => UnionType.MissingIn(source).Contains(union, SymbolEqualityComparer.Default)))
            {
                var name = source.TextAt(model, declaration.SpanStart);
                yield return declaration.WithLastProductAttribute(model, "BufferedCase", $"<{name}>({(++number).ToString(CultureInfo.InvariantCulture)})");
            }
        }
    }
}
