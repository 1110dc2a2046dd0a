using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The layouts that are shipped: for each message type the lines of its schema text, with a blank line between types. Lines that begin
/// with # are comments: they belong to the type behind them, or to the file if they are its first lines and a blank line follows.
/// Instances are immutable.
/// </summary>
internal sealed class LayoutFile
{
    /// <summary>The name of the file.</summary>
    public const string Name = "BufferedMessages.Layout.txt";

    private const string TypePrefix = "message ";
    private const string CommentPrefix = "#";

    private readonly IReadOnlyList<string> _head;
    private readonly SortedDictionary<string, Section> _sections;
    private readonly IReadOnlyList<string> _end;
    private readonly string _lineEnd;

    private LayoutFile(IReadOnlyList<string> head, SortedDictionary<string, Section> sections, IReadOnlyList<string> end, string lineEnd)
    {
        _head = head;
        _sections = sections;
        _end = end;
        _lineEnd = lineEnd;
    }

    /// <summary>Whether a file of this path is a layout file.</summary>
    public static bool IsOne(string path) => string.Equals(Path.GetFileName(path), Name, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads a file.</summary>
    public static LayoutFile Parse(SourceText text)
    {
        var sections = new SortedDictionary<string, Section>(StringComparer.Ordinal);
        var head = new List<string>();
        var comments = new List<string>();
        List<string>? members = null;
        foreach (var line in text.Lines.Select(static line => line.ToString().Trim()))
        {
            if (line.Length == 0)
            {
                head.AddRange(sections.Count == 0 ? comments : []);
                comments = sections.Count == 0 ? [] : comments;
            }
            else if (line.StartsWith(CommentPrefix, StringComparison.Ordinal))
            {
                comments.Add(line);
            }
            else if (line.StartsWith(TypePrefix, StringComparison.Ordinal))
            {
                members = [];
                sections[line.Substring(TypePrefix.Length)] = new Section(comments, members);
                comments = [];
            }
            else
            {
                members?.Add(line);
            }
        }

        var first = text.Lines[0];
        var lineEnd = first.EndIncludingLineBreak > first.End ? text.ToString(TextSpan.FromBounds(first.End, first.EndIncludingLineBreak)) : "\n";
        return new LayoutFile(head, sections, comments, lineEnd);
    }

    /// <summary>The lines of a type's members; null if the file does not have the type.</summary>
    public IReadOnlyList<string>? MembersOf(string type) => _sections.TryGetValue(type, out var section) ? section.Members : null;

    /// <summary>The file with other lines for a type. Types stand in the order of their names.</summary>
    public LayoutFile With(string type, IReadOnlyList<string> members)
    {
        var sections = new SortedDictionary<string, Section>(_sections, StringComparer.Ordinal)
        {
            [type] = new Section(_sections.TryGetValue(type, out var section) ? section.Comments : [], members),
        };
        return new LayoutFile(_head, sections, _end, _lineEnd);
    }

    /// <summary>The file's text.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        Append(text, _head);
        foreach (var pair in _sections)
        {
            Append(text, [.. pair.Value.Comments, TypePrefix + pair.Key, .. pair.Value.Members]);
        }

        Append(text, _end);
        return text.ToString();
    }

    private void Append(StringBuilder text, IReadOnlyCollection<string> lines)
    {
        if (text.Length != 0 && lines.Count != 0)
        {
            text.Append(_lineEnd);
        }

        foreach (var line in lines)
        {
            text.Append(line).Append(_lineEnd);
        }
    }

    private sealed record Section(IReadOnlyList<string> Comments, IReadOnlyList<string> Members);
}
