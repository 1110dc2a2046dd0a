using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>
/// A fix that numbers the members of a source without gaps and around its reserved ordinals. Members keep the order of their ordinals. Members
/// with a duplicate, reserved or missing ordinal come last, in the order of declaration.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NumberMembersCodeFix()
    : SyntaxCodeFix("Number the members without gaps", Rules.DuplicateOrdinal.Id, Rules.MissingOrdinal.Id, Rules.OrdinalOutOfRange.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation)
    {
        // Bases first, because the numbers of a derived type follow theirs. A generic base is declared once, whatever its type arguments are.
        var numbers = new Dictionary<ISymbol, int>(SymbolEqualityComparer.Default);
        foreach (var place in places.Where(static place => place.Source is not null).OrderBy(static place => place.Source!.DerivedFirst().Count()))
        {
            if (MembersOf(place.Source!, place.Model.Compilation, cancellation).All(static member => member.Ordinal is null))
            {
                continue;
            }

            // A base that has no numbers gets its own too: they are the first ones of the derived type.
            foreach (var source in place.Source!.BaseFirst().Where(SourceType.IsSource))
            {
                Number(source, place.Model.Compilation, numbers, cancellation);
            }
        }

        return numbers.Select(member => Edit(member.Key, member.Value, places, cancellation)).OfType<SyntaxEdit>();
    }

    private static IReadOnlyList<MemberCandidate> MembersOf(INamedTypeSymbol source, Compilation compilation, CancellationToken cancellation) =>
        new MemberParser(source, compilation, sink: null).Parse(cancellation);

    private static void Number(INamedTypeSymbol source, Compilation compilation, Dictionary<ISymbol, int> numbers, CancellationToken cancellation)
    {
        var members = MembersOf(source, compilation, cancellation);
        if (!members.All(static member => CanBeNumbered(member.Symbol)))
        {
            return;
        }

        var reserved = new HashSet<int>(ReservedOrdinal.Of(source, compilation).Select(static ordinal => ordinal.Ordinal));
        var taken = new HashSet<int>(reserved);
        int? NumberOf(MemberCandidate member) => numbers.TryGetValue(member.Symbol.OriginalDefinition, out var number) ? number : member.Ordinal;
        var inOrder = members
            .Select(member => (member.Symbol, Ordinal: NumberOf(member) is { } ordinal and >= 0 && taken.Add(ordinal) ? ordinal : int.MaxValue))
            .OrderBy(static member => member.Ordinal);
        var next = 0;
        foreach (var (symbol, _) in inOrder)
        {
            while (reserved.Contains(next))
            {
                next++;
            }

            numbers[symbol.OriginalDefinition] = next++;
        }
    }

    // One attribute cannot set two ordinals, and another assembly cannot be edited.
    private static bool CanBeNumbered(ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences is [var reference]
        && reference.GetSyntax().MemberDeclaration() is { } declaration
        && declaration is not FieldDeclarationSyntax { Declaration.Variables.Count: > 1 };

    private static SyntaxEdit? Edit(ISymbol symbol, int number, ImmutableArray<DiagnosedNode> places, CancellationToken cancellation)
    {
        var text = number.ToString(CultureInfo.InvariantCulture);
        if (symbol.ProductAttribute(MemberParser.MemberAttribute) is { } attribute)
        {
            return attribute.ConstructorArguments is [{ Value: int before }] && before == number
                ? null
                : Renumber((AttributeSyntax)attribute.ApplicationSyntaxReference!.GetSyntax(cancellation), text);
        }

        var declaration = symbol.DeclaringSyntaxReferences[0].GetSyntax(cancellation).MemberDeclaration()!;
        return places.Select(place => place.ModelOf(declaration.SyntaxTree)).OfType<SemanticModel>().FirstOrDefault() is { } model
            ? declaration.WithProductAttribute(model, "BufferedMember", $"({text})")
            : null;
    }

    private static SyntaxEdit? Renumber(AttributeSyntax attribute, string number) =>
        attribute.ArgumentList?.Arguments is [{ } argument, ..]
            ? new SyntaxEdit(argument.Expression, current => SyntaxFactory.ParseExpression(number).WithTriviaFrom(current))
            : null;
}
