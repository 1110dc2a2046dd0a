using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using BufferedMessages.Generator.Analysis;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that gives cases with wrong numbers the lowest free numbers. Other cases keep their numbers.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NumberCasesCodeFix() : SyntaxCodeFix("Give the case a free number", Rules.DuplicateCaseNumber.Id, Rules.CaseNumberOutOfRange.Id)
{
    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation) =>
        from place in places
        where place.DeclaredCase is not null && place.Source is not null
        group place by (place.Model.Compilation, place.Diagnostic.Properties[DiagnosticProperty.Source]) into union
        from numbered in union.Zip(FreeNumbers(union.First().Source!, union.First().Model.Compilation), static (place, number) => (place.Node, Number: number))
        select new SyntaxEdit(numbered.Node, current => WithNumber((AttributeSyntax)current, numbered.Number));

    private static IEnumerable<int> FreeNumbers(INamedTypeSymbol union, Compilation compilation)
    {
        var (cases, reserved, _) = new CaseParser(union, compilation, sink: null).Parse();
        var taken = new HashSet<int>(cases.Select(static found => found.Number).Concat(reserved));
        return Enumerable.Range(1, int.MaxValue - 1).Where(number => !taken.Contains(number));
    }

    private static AttributeSyntax WithNumber(AttributeSyntax attribute, int number)
    {
        var argument = attribute.ArgumentList!.Arguments.First(static argument => argument.NameEquals is null);
        var text = SyntaxFactory.ParseExpression(number.ToString(CultureInfo.InvariantCulture));
        return attribute.ReplaceNode(argument.Expression, text.WithTriviaFrom(argument.Expression));
    }
}
