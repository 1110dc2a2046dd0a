using System.Text;

namespace BufferedMessages.Generator.Emission;

/// <summary>A writer of indented lines of C#. Lines end with a line feed on every platform.</summary>
internal sealed class SourceWriter
{
    private const int IndentSize = 4;

    private readonly StringBuilder _text = new();
    private int _indent;
    private bool _blockEnded;

    /// <summary>Writes a blank line.</summary>
    public void Line() => Line("");

    /// <summary>Writes a line, preceded by a blank one if a block has just ended.</summary>
    public void Line(string line)
    {
        if (_blockEnded && line.Length != 0)
        {
            _text.Append('\n');
        }

        Append(line);
    }

    /// <summary>Writes the lines of a text.</summary>
    public void Lines(string text)
    {
        foreach (var line in text.Split('\n'))
        {
            Line(line.TrimEnd('\r'));
        }
    }

    /// <summary>Writes a line for each text.</summary>
    public void All(IEnumerable<string> lines)
    {
        foreach (var line in lines)
        {
            Line(line);
        }
    }

    /// <summary>Opens a block in braces, which disposing closes.</summary>
    /// <param name="head">The line before it; empty for a bare block.</param>
    /// <param name="close">The text after the closing brace.</param>
    public Scope Block(string head, string close = "")
    {
        if (head.Length != 0)
        {
            Line(head);
        }

        Line("{");
        _indent++;
        return new Scope(this, close);
    }

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    private void Append(string line)
    {
        if (line.Length != 0)
        {
            _text.Append(' ', _indent * IndentSize).Append(line);
        }

        _text.Append('\n');
        _blockEnded = false;
    }

    /// <summary>An open block.</summary>
    internal readonly struct Scope(SourceWriter writer, string close) : IDisposable
    {
        /// <summary>Closes the block.</summary>
        public void Dispose()
        {
            writer._indent--;
            writer.Append("}" + close);
            writer._blockEnded = true;
        }
    }
}
