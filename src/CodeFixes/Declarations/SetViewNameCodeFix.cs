using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BufferedMessages.CodeFixes;

/// <summary>A fix that gives the view of a source a free name. A person must rename members.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class SetViewNameCodeFix() : SyntaxCodeFix("Set another ViewName", Rules.NameTaken.Id)
{
    private const string Argument = "ViewName";

    private protected override IEnumerable<SyntaxEdit> Edits(ImmutableArray<DiagnosedNode> places, CancellationToken cancellation)
    {
        var given = new Dictionary<ISymbol, HashSet<string>>(SymbolEqualityComparer.Default);
        foreach (var place in places)
        {
            if (place.DeclaredSource is { } source
                && !NameRules.AreViewNamesFree(source)
                && SourceType.AttributeOf(source).ApplicationSyntaxReference?.GetSyntax(cancellation) is AttributeSyntax attribute)
            {
                if (!given.TryGetValue(source.ContainingSymbol, out var names))
                {
                    given.Add(source.ContainingSymbol, names = new HashSet<string>(StringComparer.Ordinal));
                }

                var name = FreeNameFor(source, names);
                yield return new SyntaxEdit(attribute, current => WithViewName((AttributeSyntax)current, name));
            }
        }
    }

    private static string FreeNameFor(INamedTypeSymbol source, HashSet<string> given)
    {
        var simpleName = UnionType.SimpleNameOf(source);
        var name = simpleName + "View";
        for (var i = 2; !NameRules.CanSetViewName(source, name) || !given.Add(name); i++)
        {
            name = simpleName + "View" + i.ToString(CultureInfo.InvariantCulture);
        }

        return name;
    }

    private static AttributeSyntax WithViewName(AttributeSyntax attribute, string name)
    {
        var value = SyntaxFactory.LiteralExpression(SyntaxKind.StringLiteralExpression, SyntaxFactory.Literal(name));
        var arguments = attribute.ArgumentList ?? SyntaxFactory.AttributeArgumentList();
        if (arguments.Arguments.FirstOrDefault(static argument => argument.NameEquals?.Name.Identifier.ValueText == Argument) is { } old)
        {
            return attribute.WithArgumentList(arguments.ReplaceNode(old.Expression, value.WithTriviaFrom(old.Expression)));
        }

        var argument = SyntaxFactory.ParseAttributeArgumentList($"({Argument} = {value})")!.Arguments[0];
        var separated = arguments.Arguments.Count == 0 ? argument : argument.WithLeadingTrivia(SyntaxFactory.Space);
        return attribute.WithArgumentList(arguments.AddArguments(separated));
    }
}
