using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BufferedMessages.Samples.Tests.Documents;

/// <summary>A passage that people read: a comment, a text in the code, a paragraph or a row of a table.</summary>
/// <param name="Line">The line where it begins, from 1.</param>
/// <param name="Lines">Its lines, without code.</param>
internal sealed partial record EnglishText(int Line, IReadOnlyList<string> Lines)
{
    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview, DocumentationMode.None, preprocessorSymbols: ["NET", "NET10_0", "NET10_0_OR_GREATER"]);

    /// <summary>The passage as one line.</summary>
    public string Text => string.Join(' ', Lines);

    /// <summary>The line of an offset in <see cref="Text"/>.</summary>
    public int LineOf(int offset)
    {
        var line = 0;
        for (var end = Lines[0].Length; end < offset; end += Lines[line].Length + 1)
        {
            line++;
        }

        return Line + line;
    }

    /// <summary>Finds the comments and the texts of a source file.</summary>
    public static IEnumerable<EnglishText> OfSource(string source)
    {
        var root = CSharpSyntaxTree.ParseText(source, ParseOptions).GetRoot();
        var texts = from token in root.DescendantTokens()
                    where token.RawKind is (int)SyntaxKind.StringLiteralToken or (int)SyntaxKind.InterpolatedStringTextToken && token.ValueText.Contains(' ', StringComparison.Ordinal)
                    select new EnglishText(token.GetLocation().GetLineSpan().StartLinePosition.Line + 1, [token.ValueText.ReplaceLineEndings(" ")]);

        var comments = root.DescendantTrivia().Where(static trivia => trivia.RawKind is (int)SyntaxKind.SingleLineCommentTrivia)
            .Select(static trivia => (Line: trivia.GetLocation().GetLineSpan().StartLinePosition.Line + 1, Text: Prose(trivia.ToString().TrimStart('/', ' '))));
        return texts.Concat(Passages(comments));
    }

    /// <summary>Finds the paragraphs, headings and table rows of a document, outside of code and of marked tables.</summary>
    public static IEnumerable<EnglishText> OfDocument(string document)
    {
        var lines = new List<(int, string)>();
        var (isCode, isMarked) = (false, false);
        foreach (var (index, line) in document.Split('\n').Index())
        {
            isMarked = (isMarked || line.StartsWith("<!-- benchmarks", StringComparison.Ordinal)) && !line.StartsWith("<!-- /benchmarks", StringComparison.Ordinal);
            isCode ^= line.StartsWith("```", StringComparison.Ordinal);
            if (isCode || isMarked || line.Length == 0 || line.StartsWith("```", StringComparison.Ordinal))
            {
                continue;
            }

            // Each row, heading and item of a list is a passage of its own.
            if (line[0] is '|' or '#' or '-' or '*' || char.IsDigit(line[0]))
            {
                lines.Add((-1, ""));
            }

            lines.Add((index + 1, Prose(line.TrimStart('#', ' ', '-', '*'))));
        }

        return Passages(lines);
    }

    // Lines that follow each other are one passage.
    private static IEnumerable<EnglishText> Passages(IEnumerable<(int Line, string Text)> lines)
    {
        EnglishText? passage = null;
        foreach (var (line, text) in lines)
        {
            if (passage is not null && passage.Line + passage.Lines.Count == line)
            {
                passage = passage with { Lines = [.. passage.Lines, text] };
                continue;
            }

            if (passage is { Line: > 0 })
            {
                yield return passage;
            }

            passage = new EnglishText(line, [text]);
        }

        if (passage is { Line: > 0 })
        {
            yield return passage;
        }
    }

    // Code, links and tags are not English.
    private static string Prose(string text) => Tag().Replace(Code().Replace(text, "X"), " ");

    [GeneratedRegex(@"`[^`]*`|(?<=\])\([^)]*\)|<(c|code)>.*?</(c|code)>|<[^>]*/>", RegexOptions.ExplicitCapture | RegexOptions.IgnoreCase, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Code();

    [GeneratedRegex("</?[a-z][^>]*>", RegexOptions.ExplicitCapture | RegexOptions.IgnoreCase, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Tag();
}
