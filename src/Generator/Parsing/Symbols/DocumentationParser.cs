using System.Globalization;
using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A parser that copies the XML documentation of a member for the view's member of the same name.</summary>
internal static class DocumentationParser
{
    // Tags that refer to things of the source, which the view does not have.
    private static readonly string[] NotPortable = ["<inheritdoc", "<include", "<param ", "<paramref", "<typeparamref"];

    /// <summary>Gets the lines between the member tags; a reference to the member if its documentation is missing or cannot be copied.</summary>
    public static EquatableArray<string> Parse(ISymbol symbol, CancellationToken cancellation)
    {
        var lines = OwnLines(symbol, cancellation);
        return new EquatableArray<string>(lines.Count != 0 ? lines : [$"<summary>The member <see cref=\"{symbol.OriginalDefinition.GetDocumentationCommentId()}\"/>.</summary>"]);
    }

    private static IReadOnlyList<string> OwnLines(ISymbol symbol, CancellationToken cancellation)
    {
        var xml = symbol.GetDocumentationCommentXml(CultureInfo.InvariantCulture, expandIncludes: false, cancellation);
        if (xml is null || !xml.TrimStart().StartsWith("<member", StringComparison.Ordinal) || NotPortable.Any(tag => xml.Contains(tag)))
        {
            return [];
        }

        var start = xml.IndexOf('>') + 1;
        var end = xml.LastIndexOf("</member>", StringComparison.Ordinal);
        if (end < start)
        {
            return [];
        }

        var lines = xml.Substring(start, end - start).Split('\n').Select(static line => line.TrimEnd()).ToList();
        var indent = lines.Where(static line => line.Length != 0).Select(IndentOf).DefaultIfEmpty(0).Min();
        return [.. lines.Where(static line => line.Length != 0).Select(line => line.Substring(indent))];
    }

    private static int IndentOf(string line) => line.Length - line.TrimStart().Length;
}
