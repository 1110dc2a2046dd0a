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

    // A member's type may consist of several, of which the others can be stored: by a converter, or as a value.
    private static INamedTypeSymbol? NotYetSource(DiagnosedNode place)
    {
        var declared = place.Model.GetDeclaredSymbol(place.Node);
        var member = declared is IParameterSymbol parameter ? parameter.ContainingType.GetMembers(parameter.Name).FirstOrDefault(static found => found is IPropertySymbol) : declared;
        if (member is not (IPropertySymbol or IFieldSymbol))
        {
            return place.DeclaredCase is { } found && !SourceType.IsSource(found) && SourceType.CanBecomeSource(found, place.Model.Compilation) ? found : null;
        }

        var kinds = new KindParser(place.Model.Compilation, member);
        return Parts(member.MemberType()).FirstOrDefault(part => kinds.Parse(part).Rule?.Id == Rules.NotASource.Id);
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
