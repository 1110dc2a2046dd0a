using System.Text;
using Microsoft.CodeAnalysis.Text;

namespace BufferedMessages.Generator.Analysis;

/// <summary>
/// The shipped layouts: the lines of the schema text for each message type and union, with a blank line between types. Lines that begin with #
/// are comments. They belong to the type that follows, or to the file if they are its first lines and a blank line follows.
/// Instances are immutable.
/// </summary>
internal sealed class LayoutFile
{
    /// <summary>The name of the file.</summary>
    public const string Name = "BufferedMessages.Layout.txt";

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

    /// <summary>Determines whether the path is that of a layout file.</summary>
    public static bool IsOne(string path) => string.Equals(Path.GetFileName(path), Name, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads a file.</summary>
    public static LayoutFile Parse(SourceText text)
    {
        var sections = new SortedDictionary<string, Section>(StringComparer.Ordinal);
        var head = new List<string>();
        var comments = new List<string>();
        List<string>? lines = null;
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
            else if (TypeLayout.ParseHead(line) is var (keyword, name))
            {
                lines = [];
                sections[name] = new Section(comments, new TypeLayout(keyword, name, lines, HasErrors: false));
                comments = [];
            }
            else
            {
                lines?.Add(line);
            }
        }

        var first = text.Lines[0];
        var lineEnd = first.EndIncludingLineBreak > first.End ? text.ToString(TextSpan.FromBounds(first.End, first.EndIncludingLineBreak)) : "\n";
        return new LayoutFile(head, sections, comments, lineEnd);
    }

    /// <summary>Gets the layout of a type; null if the file does not have the type.</summary>
    public TypeLayout? LayoutOf(string type) => _sections.TryGetValue(type, out var section) ? section.Layout : null;

    /// <summary>Gets a file with another layout for a type. Types are ordered by name.</summary>
    public LayoutFile With(TypeLayout layout)
    {
        var sections = new SortedDictionary<string, Section>(_sections, StringComparer.Ordinal)
        {
            [layout.Name] = new Section(_sections.TryGetValue(layout.Name, out var section) ? section.Comments : [], layout),
        };
        return new LayoutFile(_head, sections, _end, _lineEnd);
    }

    /// <summary>Gets the file's text.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        Append(text, _head);
        foreach (var section in _sections.Values)
        {
            Append(text, [.. section.Comments, section.Layout.Head, .. section.Layout.Lines]);
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

    private sealed record Section(IReadOnlyList<string> Comments, TypeLayout Layout);
}
