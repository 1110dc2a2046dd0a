using System.Diagnostics;
using System.Globalization;
using Spectre.Console;

namespace BufferedMessages.Samples.QuickStart;

/// <summary>A table of the largest extensions, drawn five times a second while another thread reads.</summary>
internal static class LiveTable
{
    public const int Rows = 12;

    private static readonly TimeSpan Refresh = TimeSpan.FromMilliseconds(200);

    public static void Show(Task reading, Reader reader, Totals totals)
    {
        var watch = Stopwatch.StartNew();
        AnsiConsole.Live(Draw(reader, totals, watch.Elapsed)).Start(display =>
        {
            // Wait would wrap an error of the task; the caller throws it as it is.
            while (Task.WaitAny([reading], Refresh) < 0)
            {
                display.UpdateTarget(Draw(reader, totals, watch.Elapsed));
            }

            display.UpdateTarget(Draw(reader, totals, watch.Elapsed));
        });
    }

    /// <summary>An extension as it can be printed: a name may hold anything, also control characters.</summary>
    public static string Name(string extension) =>
        extension.Length == 0 ? "(none)" : string.Concat(extension.Select(c => char.IsControl(c) ? '?' : c));

    private static Table Draw(Reader reader, Totals totals, TimeSpan elapsed)
    {
        var table = new Table().Border(TableBorder.Rounded);
        table.AddColumn("Extension");
        table.AddColumn(new TableColumn("Files").RightAligned());
        table.AddColumn(new TableColumn("Bytes").RightAligned());
        foreach (var (extension, count) in totals.Largest(Rows))
        {
            table.AddRow(new Text(Name(extension)), new Text(Number(count.Files)), new Text(Number(count.Bytes)));
        }

        var sum = totals.Sum();
        var messages = reader.Messages;
        return table.Caption(new TableTitle(string.Join(
            '\n',
            $"{Number(sum.Files)} files, {Number(sum.Bytes)} bytes",
            $"the queue: {Number(reader.Rate)} messages a second; the walk: {Number((long)(messages / elapsed.TotalSeconds))}",
            $"{Number(reader.MessageBytes)} bytes allocated for {Number(messages)} messages")));
    }

    private static string Number(long value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
