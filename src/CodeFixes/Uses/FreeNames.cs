using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.CodeFixes;

/// <summary>The names of locals and functions in code that a fix writes.</summary>
internal static class FreeNames
{
    /// <summary>Gets the names that mean something at a position, and those in the code around it.</summary>
    public static HashSet<string> TakenAt(SemanticModel model, int position, SyntaxNode around) => new(
        model.LookupSymbols(position).Select(static symbol => symbol.Name).Concat(
            around.DescendantTokens().Where(static token => token.IsKind(SyntaxKind.IdentifierToken)).Select(static token => token.ValueText)),
        StringComparer.Ordinal);

    /// <summary>Takes a name; if it is taken or a keyword, with the first number from 2 on that makes it free.</summary>
    public static string TakeName(this HashSet<string> taken, string stem)
    {
        var name = stem;
        for (var number = 2; SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None || !taken.Add(name); number++)
        {
            name = stem + number.ToString(CultureInfo.InvariantCulture);
        }

        return name;
    }
}
