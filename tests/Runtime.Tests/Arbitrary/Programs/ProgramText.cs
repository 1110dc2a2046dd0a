using System.Globalization;
using System.Text;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>The text of a program in the making.</summary>
internal sealed class ProgramText
{
    private readonly StringBuilder _text = new();
    private int _names;
    private int _indent;

    /// <summary>A name that is used nowhere else.</summary>
    public string NewName(string prefix) => prefix + (++_names).ToString(CultureInfo.InvariantCulture);

    public void Line(string line) => _text.Append(' ', _indent * 4).Append(line).Append('\n');

    /// <summary>A line, and a block in braces below it.</summary>
    public void Block(string line, Action content)
    {
        Line(line);
        Line("{");
        _indent++;
        content();
        _indent--;
        Line("}");
    }

    public override string ToString() => _text.ToString();
}
