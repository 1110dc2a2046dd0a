using System.Collections.Immutable;
using System.Composition;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that makes the type of a member or a case a message source: attribute and partial.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AnnotateTypeCodeFix() : SyntaxCodeFix("Make the type a message source", Rules.NotASource.Id, Rules.CaseNotASource.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation)
    {
        var annotated = new HashSet<SyntaxNode>();
        foreach (var place in places)
        {
            if (NotYetSource(place)?.DeclaringSyntaxReferences[0].GetSyntax(cancellation) is TypeDeclarationSyntax declaration
                && place.ModelOf(declaration.SyntaxTree) is { } model
                && model.Compilation.GetTypeByMetadataName(SourceType.AttributeFullName) is not null
                && annotated.Add(declaration))
            {
                yield return declaration.WithProductAttribute(model, "BufferedMessageSource");
                foreach (var edit in declaration.PartialChain())
                {
                    yield return edit;
                }
            }
        }
    }

    private static INamedTypeSymbol? NotYetSource(DiagnosedNode place)
    {
        var type = place.Model.GetDeclaredSymbol(place.Node) switch
        {
            IPropertySymbol property => property.Type,
            IFieldSymbol field => field.Type,
            IParameterSymbol parameter => parameter.Type,
            _ => place.DeclaredCase,
        };

        // If there are several types, an unmanaged struct among them can be stored as a value and needs no attribute.
        return type is null ? null : Parts(type)
            .Where(static part => part is { TypeKind: TypeKind.Class or TypeKind.Struct, DeclaringSyntaxReferences.IsEmpty: false, IsGenericType: false } && !SourceType.IsSource(part))
            .OrderBy(static part => part.IsUnmanagedType)
            .FirstOrDefault();
    }

    /// <summary>Gets the named types that a type consists of.</summary>
    private static IEnumerable<INamedTypeSymbol> Parts(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Parts(array.ElementType),
        INamedTypeSymbol { IsGenericType: true } generic => generic.TypeArguments.SelectMany(Parts),
        INamedTypeSymbol named => [named],
        _ => [],
    };
}
