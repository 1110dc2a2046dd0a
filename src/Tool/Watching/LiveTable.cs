using Spectre.Console;

namespace BufferedMessages.Tool;

/// <summary>Tables of the live views. Their cells are escaped already. A line that is too wide is cut off.</summary>
internal static class LiveTable
{
    /// <summary>Makes a table.</summary>
    /// <param name="headings">The headings, as <see cref="TextTable"/> takes them.</param>
    /// <param name="rows">The cells of each row.</param>
    public static Table Of(IEnumerable<string> headings, IEnumerable<IEnumerable<Cell>> rows)
    {
        var table = new Table { Border = TableBorder.None };
        foreach (var heading in headings)
        {
            table.AddColumn(new TableColumn(new Text(heading.TrimEnd('>'), new Style(decoration: Decoration.Bold))) { Alignment = heading.EndsWith('>') ? Justify.Right : Justify.Left, NoWrap = true });
        }

        foreach (var row in rows)
        {
            table.AddRow(row.Select(static cell => new Text(cell.Text, StyleOf(cell.Ink))));
        }

        return table;
    }

    private static Style StyleOf(Ink ink) => ink switch
    {
        Ink.Heading => new Style(decoration: Decoration.Bold),
        Ink.Bad => new Style(Color.Red),
        _ => Style.Plain,
    };
}
