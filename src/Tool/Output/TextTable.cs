namespace BufferedMessages.Tool;

/// <summary>A table for people: columns are aligned by spaces, and no line ends with spaces. Cells are escaped here.</summary>
/// <param name="headings">The headings. One that ends with <c>&gt;</c> is of a column of numbers, which is aligned at its right.</param>
internal sealed class TextTable(params string[] headings)
{
    private const string Gap = "  ";

    private readonly List<Cell[]> _rows = [];

    /// <summary>Adds a row.</summary>
    public void Add(params Cell[] cells) => _rows.Add(cells);

    /// <summary>Writes headings and rows; nothing if there is no row.</summary>
    /// <param name="output">The receiver.</param>
    /// <param name="palette">The colors.</param>
    public void Write(TextWriter output, Palette palette)
    {
        if (_rows.Count == 0)
        {
            return;
        }

        Cell[] head = [.. headings.Select(static heading => new Cell(heading.TrimEnd('>'), Ink.Heading))];
        Cell[][] all = head.Any(static cell => cell.Text.Length > 0) ? [head, .. _rows] : [.. _rows];
        var widths = headings.Select((_, column) => all.Max(row => column < row.Length ? row[column].Width : 0)).ToArray();
        foreach (var row in all)
        {
            WriteRow(output, palette, row, widths);
            output.Write('\n');
        }
    }

    private void WriteRow(TextWriter output, Palette palette, Cell[] row, int[] widths)
    {
        var last = Array.FindLastIndex(row, static cell => cell.Text.Length > 0);
        for (var column = 0; column <= last; column++)
        {
            var cell = row[column];
            var padding = new string(' ', widths[column] - cell.Width);
            var isNumber = headings[column].EndsWith('>');
            output.Write(isNumber ? padding : "");
            output.Write(palette.Paint(cell.Text, cell.Ink));
            output.Write(isNumber || column == last ? "" : padding);
            output.Write(column == last ? "" : Gap);
        }
    }
}

/// <summary>A cell of a table. Its text cannot command a terminal.</summary>
internal readonly struct Cell(string text, Ink ink = Ink.Plain)
{
    public string Text { get; } = TerminalText.Escape(text);

    /// <summary>Gets the columns that the text needs.</summary>
    public int Width => TextWidth.Of(Text);

    public Ink Ink { get; } = ink;

    public static implicit operator Cell(string text) => new(text);
}
